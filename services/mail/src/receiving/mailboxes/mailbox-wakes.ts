import type { Id } from '@caseway/kit/caller'

/** Wakes the runs of this process that wait for their server. */
export function mailboxWakes() {
  const waiting = new Map<string, AbortController>()
  return {
    /** @returns a signal that is aborted by the next `wake` of the mailbox */
    next(id: Id): AbortSignal {
      const controller = new AbortController()
      waiting.set(String(id), controller)
      return controller.signal
    },
    forget: (id: Id): void => void waiting.delete(String(id)),
    wake: (id: string): void => waiting.get(id)?.abort(),
    wakeAll(): void {
      for (const controller of waiting.values()) controller.abort()
    },
  }
}

export type MailboxWakes = ReturnType<typeof mailboxWakes>
