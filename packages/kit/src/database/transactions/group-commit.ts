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
  /** Items of one transaction. Default all that wait. */
  readonly most?: number
  /** How long an item waits for the transaction before its own, in milliseconds. It is rejected then, `unavailable`, and is not committed. Default without end. */
  readonly waitMs?: number | undefined
}

/**
 * Group commit: what is asked for while a transaction is under way shares the next one.
 * @param commit writes all of it in one transaction, in the trace of whoever made the group. Gives a result for each, in their order; what it
 * throws is thrown to all of them
 */
export function groupCommit<Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
  { most = Number.POSITIVE_INFINITY, waitMs }: GroupOptions = {},
): (item: Item) => Promise<Awaited<Result>> {
  const inItsTrace = AsyncLocalStorage.snapshot()
  const waiting: Waiting<Item, Result>[] = []
  let committing = false

  const commitAll = async () => {
    committing = true
    for (let group = waiting.splice(0, most); group.length > 0; group = waiting.splice(0, most)) {
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

  const refuse = (asked: Waiting<Item, Result>) => {
    waiting.splice(waiting.indexOf(asked), 1)
    asked.reject(unavailable(new Error('The transaction before did not end in time.')))
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const asked: Waiting<Item, Result> = { item, resolve, reject }
      waiting.push(asked)
      if (!committing) void inItsTrace(commitAll)
      else if (waitMs) asked.timer = setTimeout(refuse, waitMs, asked)
    })
}
