import { AsyncLocalStorage } from 'node:async_hooks'
import { unavailable } from '../../errors/index.js'

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Awaited<Result>): void
  reject(error: unknown): void
  /** Ends the wait. */
  timer?: NodeJS.Timeout
}

interface GroupOptions {
  /** The most items of one transaction. Default no limit. */
  readonly max?: number
  /** How long an item waits for its transaction to begin, in milliseconds; then it is rejected with an AppError `unavailable`. Default without limit. */
  readonly waitMs?: number | undefined
}

/**
 * Group commit: items that arrive while a transaction is under way share the next one.
 * @param commit writes all items in one transaction, and returns a result for each of them in their order. Its rejection rejects every item. It runs in
 * the async context (trace) in which `groupCommit` was called, not in that of an item
 * @returns the function that commits an item: it resolves to the result of that item
 */
export function groupCommit<Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
  { max = Number.POSITIVE_INFINITY, waitMs }: GroupOptions = {},
): (item: Item) => Promise<Awaited<Result>> {
  const inItsTrace = AsyncLocalStorage.snapshot()
  const waiting: Waiting<Item, Result>[] = []
  let committing = false

  const commitAll = async () => {
    committing = true
    for (let group = waiting.splice(0, max); group.length > 0; group = waiting.splice(0, max)) {
      for (const { timer } of group) clearTimeout(timer)
      try {
        const results = await commit(group.map(({ item }) => item))
        for (const [at, { resolve }] of group.entries()) resolve(results[at] as Awaited<Result>)
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    committing = false
  }

  const refuse = (entry: Waiting<Item, Result>) => {
    waiting.splice(waiting.indexOf(entry), 1)
    entry.reject(unavailable(new Error('The transaction before did not end in time.')))
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const entry: Waiting<Item, Result> = { item, resolve, reject }
      waiting.push(entry)
      if (!committing) void inItsTrace(commitAll)
      else if (waitMs) entry.timer = setTimeout(refuse, waitMs, entry)
    })
}
