import { expect, it } from '@jest/globals'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.js'

it('there are ten recovery codes, of 80 bits each', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[0-9a-f]{4}(-[0-9a-f]{4}){4}$/)
})

it('a recovery code is the same however it is typed', () => {
  const hash = hashRecoveryCode('f3a9-07c2-11de-90ab-cdef')
  expect(hash).toHaveLength(32)
  for (const typed of ['F3A9-07C2-11DE-90AB-CDEF', 'f3a907c211de90abcdef', ' f3a9 07c2 11de 90ab cdef '])
    expect(hashRecoveryCode(typed)).toEqual(hash)
  expect(hashRecoveryCode('f3a9-07c2-11de-90ab-cdee')).not.toEqual(hash)
})
