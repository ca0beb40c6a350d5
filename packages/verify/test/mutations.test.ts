import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mutations } from '../checks/mutations.mjs'

let project: string
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'mutations-'))
  await writeFile(join(project, 'rule.ts'), 'a < b && a < c && d')
  await writeFile(join(project, 'rule.test.ts'), "it('compares', …)")
})
afterEach(() => rm(project, { recursive: true }))

const mutation = { file: 'rule.ts', text: 'a < b', with: 'a <= b', test: 'rule.test.ts', killedBy: 'compares' }

describe('a mutation', () => {
  it('finds its text once and its test', async () => {
    expect(await mutations(project, [mutation])).toEqual({ problems: [] })
  })

  it.each([
    [{ text: 'a > b' }, 'rule.ts: "a > b": found 0 times, not once'],
    [{ text: 'a <' }, 'rule.ts: "a <": found 2 times, not once'],
    [{ file: 'gone.ts' }, 'gone.ts: "a < b": there is no such file'],
    [{ killedBy: 'adds' }, 'rule.ts: "a < b": rule.test.ts has no test "adds"'],
    [{ test: 'gone.test.ts' }, 'rule.ts: "a < b": gone.test.ts has no test "compares"'],
  ])('that is stale is named: %j', async (change, problem) => {
    expect(await mutations(project, [{ ...mutation, ...change }])).toEqual({ problems: [problem] })
  })
})
