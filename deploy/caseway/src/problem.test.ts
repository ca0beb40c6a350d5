import { expect, it } from '@jest/globals'
import { sentence } from './problem.js'

const refused = (code: string, path?: string) => Object.assign(new Error(`${code}: refused, open '${path}'`), { code, path })

it.each([
  ['EACCES', 'this user has no permission'],
  ['EPERM', 'this user has no permission'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
])('%s is said in words, with the path', (code, why) => {
  expect(sentence(refused(code, '/exports/one'))).toBe(`The command failed at /exports/one: ${why}.`)
})

it('a full disk is reported without a path', () => {
  expect(sentence(refused('ENOSPC'))).toBe('The command failed: the disk is full.')
})
