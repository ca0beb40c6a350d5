interface Sized {
  /** In bytes. */
  readonly size: number
}

/** The bytes that a backfill may still fetch of a mailbox today. */
export interface ByteBudget {
  /** Whether `within` has stopped before the end of its pages. */
  isUsedUp(): boolean
  /** Subtracts fetched bytes. */
  spend(bytes: number): void
  /** Cuts pages into pieces that exceed the budget by at most one message, and stops when it is used up. */
  within<Message extends Sized>(pages: AsyncIterable<readonly Message[]>): AsyncGenerator<readonly Message[]>
}

/** The number of messages that fit into `bytes`, but at least one, so that a message larger than the budget is fetched too. */
function fitting(messages: readonly Sized[], bytes: number): number {
  let sum = 0
  const beyond = messages.findIndex(({ size }) => {
    sum += size
    return sum > bytes
  })
  return beyond === -1 ? messages.length : Math.max(1, beyond)
}

/** @param bytes the rest of the day's budget */
export function byteBudget(bytes: number): ByteBudget {
  let remaining = bytes
  let usedUp = false
  return {
    isUsedUp: () => usedUp,
    spend(spent) {
      remaining -= spent
    },
    async *within(pages) {
      for await (const page of pages)
        for (let rest = page; rest.length > 0; ) {
          usedUp = remaining <= 0
          if (usedUp) return
          const count = fitting(rest, remaining)
          yield rest.slice(0, count)
          rest = rest.slice(count)
        }
    },
  }
}
