import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { fileName } from './file-name.js'

it.each([
  ['Umowa — ąęść.pdf', 'Umowa — ąęść.pdf'],
  ['../../etc/passwd', '....etcpasswd'],
  ['C:\\files\\a.txt', 'C:filesa.txt'],
  ['a\r\nset-cookie: b', 'aset-cookie: b'],
  ['annex\u202Efdp.exe', 'annexfdp.exe'],
  ['', 'file'],
  ['..', 'file'],
  [' \u0000 ', 'file'],
])('keeps %j as %j', (sent, name) => expect(fileName(sent)).toBe(name))

it('shortens in whole characters and keeps the extension', () => {
  expect(fileName(`${'ą'.repeat(200)}.pdf`)).toBe(`${'ą'.repeat(125)}.pdf`)
  expect(fileName('👨‍👩‍👧'.repeat(20))).toBe('👨‍👩‍👧'.repeat(14))
})

it('gives a line of 1 to 255 bytes for every text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (sent) => {
      const name = fileName(sent)
      expect(name).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]+$/u)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
      expect(fileName(name)).toBe(name)
    }),
  )
})
