import { setTimeout as pause } from 'node:timers/promises'
import type { BlobStore } from '@caseway/kit/blobs'
import { LeaseLost, type Run } from '@caseway/kit/jobs'
import { MailConnectionError } from '../mail-connections/mail-connection-error.js'
import type { Mailbox } from '../mail-connections/mailbox-access.js'
import { DeliveryUncertain, type RecipientAnswer, type SmtpPool } from '../mail-connections/smtp-session.js'
import { bytesLostText, type ClaimedMessage } from './queued-message.js'
import type { QueuedMessages } from './queued-message.repository.js'
import { type ClaimMore, type SharedClaims, sharedClaims } from './shared-claims.js'
import type { Transmission, Transmissions } from './transmission.repository.js'

export interface BatchParts {
  readonly messages: Pick<QueuedMessages, 'failed' | 'postponed' | 'released'>
  readonly transmissions: Transmissions
  readonly pool: SmtpPool
  readonly blobs: Pick<BlobStore, 'get'>
  /** The most messages of one mailbox that are sent at the same time. */
  readonly sessions: number
}

interface Sending {
  readonly run: Run<unknown>
  readonly mailbox: Mailbox
  readonly transmission: Transmission
}

class BytesLost extends Error {}

/** Sends due messages of a mailbox over several sessions. */
export function batchSending({ messages, transmissions, pool, blobs, sessions }: BatchParts) {
  async function* bytesOf({ blobKey }: ClaimedMessage) {
    const stored = await blobs.get(blobKey)
    if (!stored) throw new BytesLost()
    yield* stored as AsyncIterable<Uint8Array>
  }

  /**
   * Transmits one message.
   * @returns the answers of the server; undefined where there are none: then the state of the message is written, or is uncertain and settled later
   */
  const attempt = async (
    { run, mailbox, transmission }: Sending,
    message: ClaimedMessage,
  ): Promise<readonly RecipientAnswer[] | undefined> => {
    if (message.to.length === 0) return []
    let isOpen = false
    try {
      return await pool.use(mailbox, (session) => {
        isOpen = true
        const envelope = { from: mailbox.userEmail, to: message.to }
        const outgoing = { envelope, content: bytesOf(message), sizeBytes: message.sizeBytes }
        return session.send(outgoing, (notTaken) => transmission.dot(message, notTaken), run.signal)
      })
    } catch (error) {
      if (error instanceof DeliveryUncertain) return undefined
      if (error instanceof BytesLost) await messages.failed(message, bytesLostText)
      // The failure concerns this message: the next one may still be sent.
      else if (isOpen && error instanceof MailConnectionError) await messages.postponed(message, error.message)
      else throw error
      return undefined
    }
  }

  /** Writes the answers of the server, which only this process knows: without them the message is uncertain. */
  const write = async ({ run, transmission }: Sending, message: ClaimedMessage, answers: readonly RecipientAnswer[]) => {
    for (let tries = 1; ; tries++) {
      try {
        return await transmission.answered(message, answers)
      } catch (error) {
        if (error instanceof LeaseLost || tries === 10 || run.signal.aborted) throw error
        await pause(500 * tries, undefined, { signal: run.signal })
      }
    }
  }

  /** Sends messages, one after the other, until none is left. A slow answer to one message delays no other session. */
  const sendInTurn = async (sending: Sending, shared: SharedClaims) => {
    // The answer to a message is written while the next one is transmitted up to its end.
    let written = Promise.resolve()
    const next = async () => {
      if (shared.unsent.length === 0) await written
      return shared.next()
    }
    try {
      for (let message = await next(); message; message = await next()) {
        const current = message
        const before = written
        const answers = await attempt(sending, current).catch((error: unknown) => {
          // If a session cannot be opened, the other sessions take its message.
          if (error instanceof MailConnectionError) shared.giveBack(current)
          else shared.stop(current)
          shared.settled()
          throw error
        })
        written = before.then(() => answers && write(sending, current, answers)).finally(shared.settled)
        written.catch(() => undefined)
        await before
      }
    } finally {
      await written
    }
  }

  /** @throws MailConnectionError when some messages could not be sent, because no session could be opened; their claims are released */
  return async (run: Run<unknown>, mailbox: Mailbox, claimMore: ClaimMore): Promise<void> => {
    const sending = { run, mailbox, transmission: transmissions.of(mailbox) }
    const shared = sharedClaims(claimMore)
    const { unsent, toRelease } = shared
    await shared.claim()
    if (unsent.length === 0) return
    // One connection is opened before the others, because servers count each refused login.
    let failed: unknown[] = await pool.use(mailbox, async () => []).catch((error: unknown) => [error])
    let fault: unknown
    // If the server accepts fewer connections, the accepted ones send everything.
    for (let open = failed.length === 0 ? sessions : 0; open > 0 && unsent.length > 0 && !fault; open -= failed.length) {
      const ended = await Promise.allSettled(Array.from({ length: open }, () => sendInTurn(sending, shared)))
      failed = ended.filter((one) => one.status === 'rejected').map(({ reason }) => reason)
      fault = failed.find((reason) => !(reason instanceof MailConnectionError))
    }
    await messages.released([...toRelease, ...unsent], mailbox)
    if (fault || unsent.length > 0) throw fault ?? failed[0]
  }
}
