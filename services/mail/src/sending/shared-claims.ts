import { setTimeout as pause } from 'node:timers/promises'
import type { ClaimedMessage } from './queued-message.js'

/** Claims the next due messages. @param unsettled the number of messages whose transmission has begun, and whose outcome is not written yet */
export type ClaimMore = (unsettled: number) => Promise<readonly ClaimedMessage[]>

/** How often messages that were queued meanwhile are looked for, while a server is slow to answer others, in milliseconds. */
const lookMs = 1000

/** The claimed messages that the sessions of a mailbox share. */
export function sharedClaims(claimMore: ClaimMore) {
  const unsent: ClaimedMessage[] = []
  const toRelease: ClaimedMessage[] = []
  let unsettled = 0
  let isStopped = false
  let claiming: Promise<void> | undefined
  let changed = Promise.withResolvers<void>()

  const change = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const claim = () => {
    claiming ??= claimMore(unsettled)
      .then((claimed) => void unsent.push(...claimed))
      .finally(() => {
        claiming = undefined
      })
    return claiming
  }

  return {
    unsent,
    toRelease,
    claim,

    /** The next message for a session; undefined when none is due, and all others are settled. */
    async next(): Promise<ClaimedMessage | undefined> {
      for (;;) {
        if (unsent.length === 0 && !isStopped) await claim()
        // Another session may have stopped during the claim.
        if (isStopped) return undefined
        const message = unsent.shift()
        if (message) unsettled++
        if (message || unsettled === 0) return message
        await Promise.race([changed.promise, pause(lookMs, undefined, { ref: false })])
      }
    },

    /** To be called once for each message that was taken. */
    settled(): void {
      unsettled--
      change()
    },

    /** Leaves a message to the other sessions. */
    giveBack(message: ClaimedMessage): void {
      unsent.unshift(message)
    },

    /** After a fault no session takes another message. @param message the one at which it occurred */
    stop(message: ClaimedMessage): void {
      isStopped = true
      toRelease.push(message, ...unsent.splice(0))
    },
  }
}

export type SharedClaims = ReturnType<typeof sharedClaims>
