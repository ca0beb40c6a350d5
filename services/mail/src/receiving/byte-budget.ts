interface Sized {
  /** In bytes. */
  readonly size: number
}

/** What a backfill may still fetch of a mailbox today. */
export interface ByteBudget {
  /** Whether something waits for the next day. */
  isUsedUp(): boolean
  /** Some bytes are fetched. */
  spend(bytes: number): void
  /** The pages, in pieces that do not go beyond it by more than a message, for as long as there is something left of it. */
  within<Message extends Sized>(pages: AsyncIterable<readonly Message[]>): AsyncGenerator<readonly Message[]>
}

/** How many of these are within so many bytes, but at least one: the largest message has its day as well. */
function fitting(messages: readonly Sized[], bytes: number): number {
  let sum = 0
  const beyond = messages.findIndex(({ size }) => {
    sum += size
    return sum > bytes
  })
  return beyond === -1 ? messages.length : Math.max(1, beyond)
}

/** @param bytes what is left of the day */
export function byteBudget(bytes: number): ByteBudget {
  let left = bytes
  let usedUp = false
  return {
    isUsedUp: () => usedUp,
    spend(spent) {
      left -= spent
    },
    async *within(pages) {
      for await (const page of pages)
        for (let rest = page; rest.length > 0; ) {
          usedUp = left <= 0
          if (usedUp) return
          const most = fitting(rest, left)
          yield rest.slice(0, most)
          rest = rest.slice(most)
        }
    },
  }
}
