import { expect, it } from '@jest/globals'
import { groupCommit } from './group-commit.js'

/** Records the commits; the test ends each of them. */
function commits() {
  const begun: { readonly items: readonly string[]; end(): void }[] = []
  const commit = (items: readonly string[]) => new Promise<readonly string[]>((resolve) => begun.push({ items, end: () => resolve(items) }))
  return { begun, commit }
}

it('an item whose transaction does not begin in time is rejected and not committed, and one whose transaction has begun is not', async () => {
  const { begun, commit } = commits()
  const ask = groupCommit(commit, { waitMs: 50 })
  const first = ask('first')
  const second = ask('second')
  begun[0]?.end()
  await expect(first).resolves.toBe('first')
  const third = ask('third')
  const late = ask('late')
  // The second has waited as long, but its transaction has begun, so it is not rejected.
  await expect(third).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(late).rejects.toMatchObject({ kind: 'unavailable' })
  const last = ask('last')
  begun[1]?.end()
  await expect(second).resolves.toBe('second')
  begun[2]?.end()
  await expect(last).resolves.toBe('last')
  expect(begun.map(({ items }) => items)).toEqual([['first'], ['second'], ['last']])
})
