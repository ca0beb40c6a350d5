import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { proofs } from '../checks/proofs.mjs'

let project: string
const write = (text: string) => writeFile(join(project, 'docs/security.md'), text)
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'proofs-'))
  await mkdir(join(project, 'docs'))
  await writeFile(join(project, 'a.test.ts'), "it('holds', …); it('is refused', …)")
})
afterEach(() => rm(project, { recursive: true }))

describe('a proof in docs/security.md', () => {
  it('names tests that exist', async () => {
    await write('| A | `a.test.ts`: “holds”, “is refused” |\n| B | `a.test.ts` |')
    expect(await proofs(project)).toEqual({ problems: [] })
  })

  it('that names a test or a file which does not exist is a problem', async () => {
    await write('| A | `a.test.ts`: “holds”, “is lost” |\n| B | `gone.test.ts` |')
    expect(await proofs(project)).toEqual({
      problems: ['docs/security.md: a.test.ts has no test “is lost”', 'docs/security.md: there is no gone.test.ts'],
    })
  })

  it('is not required without such a document', async () => {
    expect(await proofs(project)).toMatchObject({ problems: [], skipped: expect.any(String) })
  })
})
