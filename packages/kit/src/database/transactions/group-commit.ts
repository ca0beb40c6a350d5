import { AsyncLocalStorage } from 'node:async_hooks'

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Awaited<Result>): void
  reject(error: unknown): void
}

/**
 * Group commit: what is asked for while a transaction is under way shares the next one.
 * @param commit writes all of it in one transaction, in the trace of whoever made the group. Gives a result for each, in their order; what it
 * throws is thrown to all of them
 * @param most items of one transaction. Default all that wait
 */
export function groupCommit<Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
  most = Number.POSITIVE_INFINITY,
): (item: Item) => Promise<Awaited<Result>> {
  const inItsTrace = AsyncLocalStorage.snapshot()
  const waiting: Waiting<Item, Result>[] = []
  let committing = false

  const commitAll = async () => {
    committing = true
    for (let group = waiting.splice(0, most); group.length > 0; group = waiting.splice(0, most)) {
      try {
        const results = await commit(group.map(({ item }) => item))
        for (const [at, { resolve }] of group.entries()) resolve(results[at] as Awaited<Result>)
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    committing = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!committing) void inItsTrace(commitAll)
    })
}
