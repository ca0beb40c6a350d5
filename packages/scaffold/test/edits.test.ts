import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { append, importNames, prepareEdits, replace } from '../edits.mjs'

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'edits-'))
  writeFileSync(join(project, 'a.ts'), 'const list = []\n')
  writeFileSync(join(project, 'b.ts'), 'const other = 1\n')
})
afterEach(() => rmSync(project, { recursive: true }))
const read = (file: string) => readFileSync(join(project, file), 'utf8')

describe('edits', () => {
  it('are prepared in memory, and written by one call', () => {
    const write = prepareEdits({ 'a.ts': replace(/(?<=\[)/, '1, '), 'b.ts': append('const more = 2\n') }, project)
    expect(read('a.ts')).toBe('const list = []\n')
    expect(write()).toBe('a.ts, b.ts')
    expect([read('a.ts'), read('b.ts')]).toEqual(['const list = [1, ]\n', 'const other = 1\nconst more = 2\n'])
  })

  it.each([
    ['one does not match', { 'a.ts': append('x'), 'b.ts': replace(/list/, 'x') }, 'b.ts: nothing matches /list/'],
    ['a file is missing', { 'a.ts': append('x'), 'c.ts': append('x') }, 'c.ts does not exist.'],
  ])('are not written when %s', (_, edits, message) => {
    expect(() => prepareEdits(edits, project)).toThrow(message)
    expect([read('a.ts'), read('b.ts')]).toEqual(['const list = []\n', 'const other = 1\n'])
  })
})

describe('an import', () => {
  const withB = importNames('./m.js', 'b')

  it('is added to an existing import of the same module', () => {
    expect(withB("import { a } from './m.js'\n")).toBe("import { a, b } from './m.js'\n")
    expect(withB("import type { A } from './m.js'\n")).toBe("import { type A, b } from './m.js'\n")
    expect(withB("import { a, b } from './m.js'\n")).toBe("import { a, b } from './m.js'\n")
  })

  it('is added as the first line, if its module is not imported yet', () => {
    expect(withB("import { a } from './n.js'\n")).toBe("import { b } from './m.js'\nimport { a } from './n.js'\n")
  })
})
