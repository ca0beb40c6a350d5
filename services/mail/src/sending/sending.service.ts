import { setTimeout as pause } from 'node:timers/promises'
import type { BlobStore } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import type { RawTransaction } from '@caseway/kit/events'
import { LeaseLost, type Run } from '@caseway/kit/jobs'
import type { Tx } from '../database.js'
import { type Failed, MailConnectionError } from '../mail-connections/mail-connection-error.js'
import { type Mailbox, protocols } from '../mail-connections/mailbox-access.js'
import { DeliveryUncertain, type RecipientAnswer, type SmtpPool } from '../mail-connections/smtp-session.js'
import { states } from '../sent-messages/sent-message.js'
import { bytesLostText, type ClaimedMessage, noMailboxText, noSenderText } from './queued-message.js'
import type { QueuedMessages } from './queued-message.repository.js'
import { enqueueSending, type MailSending } from './sending.job.js'
import type { Transmission, Transmissions } from './transmission.repository.js'
import type { UncertainMessages } from './uncertain-message.service.js'

export interface SendingParts {
  readonly mailboxes: {
    /** @throws MailConnectionError where the OAuth 2.0 provider does not answer */
    toOpen(customerId: Id, id: Id): Promise<Mailbox | null>
    /** To be called when the server has refused the login. */
    refused(mailbox: Mailbox): Promise<void>
  }
  readonly messages: QueuedMessages
  readonly transmissions: Transmissions
  readonly uncertain: UncertainMessages
  readonly pool: SmtpPool
  readonly blobs: Pick<BlobStore, 'get'>
  readonly health: {
    works(mailbox: Mailbox): Promise<void>
    failed(mailbox: Pick<Mailbox, 'id' | 'customerId'>, failed: Failed): Promise<Date | null>
  }
  /** The most messages of one mailbox that are sent at the same time. */
  readonly sessions: number
  /** The most messages of one mailbox within an hour. */
  readonly maxPerHour: number
}

/** The most messages that are claimed at once: the claims of a process that dies wait for its lease. */
const maxClaimed = 30
/** The most messages of one mailbox before other mailboxes have their turn. */
const maxPerRun = 120

const { queued, processing } = states

interface Sending {
  readonly run: Run<unknown>
  readonly mailbox: Mailbox
  readonly transmission: Transmission
}

class BytesLost extends Error {}

export function mailSending(parts: SendingParts): MailSending {
  const { mailboxes, messages, transmissions, uncertain, pool, blobs, health, sessions, maxPerHour } = parts

  async function* bytesOf({ blobKey }: ClaimedMessage) {
    const stored = await blobs.get(blobKey)
    if (!stored) throw new BytesLost()
    yield* stored as AsyncIterable<Uint8Array>
  }

  /**
   * Transmits one message.
   * @param before awaited before the end of the message is sent
   * @returns the answers of the server; undefined where there are none: then the state of the message is written, or is uncertain and settled later
   */
  const attempt = async (
    { run, mailbox, transmission }: Sending,
    message: ClaimedMessage,
    before: Promise<void>,
  ): Promise<readonly RecipientAnswer[] | undefined> => {
    if (message.to.length === 0) return []
    let isOpen = false
    try {
      return await pool.use(mailbox, (session) => {
        isOpen = true
        const envelope = { from: mailbox.userEmail, to: message.to }
        const outgoing = { envelope, content: bytesOf(message), sizeBytes: message.sizeBytes }
        return session.send(outgoing, (notTaken) => before.then(() => transmission.dot(message, notTaken)), run.signal)
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

  const sendAll = async (run: Run<unknown>, mailbox: Mailbox, claimed: readonly ClaimedMessage[]) => {
    const sending = { run, mailbox, transmission: transmissions.of(mailbox) }
    const unsent = [...claimed]
    const idle: ClaimedMessage[] = []
    const work = async () => {
      // The answer to a message is written while the next one is transmitted up to its end.
      let written = Promise.resolve()
      try {
        for (let message = unsent.shift(); message; message = unsent.shift()) {
          const answers = await attempt(sending, message, written).catch((error: unknown) => {
            // If a session cannot be opened, the other sessions take its message.
            if (error instanceof MailConnectionError) unsent.unshift(message as ClaimedMessage)
            else idle.push(message as ClaimedMessage, ...unsent.splice(0))
            throw error
          })
          await written
          if (answers) written = write(sending, message, answers)
          written.catch(() => undefined)
        }
      } finally {
        await written
      }
    }
    // One connection is opened before the others, because servers count each refused login.
    let failed: unknown[] = await pool.use(mailbox, async () => []).catch((error: unknown) => [error])
    let fault: unknown
    // If the server accepts fewer connections, the accepted ones send everything.
    for (let open = failed.length === 0 ? sessions : 0; open > 0 && unsent.length > 0 && !fault; open -= failed.length) {
      const ended = await Promise.allSettled(Array.from({ length: open }, work))
      failed = ended.filter((one) => one.status === 'rejected').map(({ reason }) => reason)
      fault = failed.find((reason) => !(reason instanceof MailConnectionError))
    }
    await messages.released([...idle, ...unsent], mailbox)
    if (fault || unsent.length > 0) throw fault ?? failed[0]
  }

  /** Sends due messages. @returns when the hourly limit allows more, where it is reached */
  const sendDue = async (run: Run<unknown>, mailbox: Mailbox): Promise<Date | null> => {
    for (let sent = 0; sent < maxPerRun; ) {
      run.signal.throwIfAborted()
      const { count, first } = await messages.lastHour(mailbox)
      if (count >= maxPerHour) return new Date(Number(first ?? Date.now()) + 3_600_000)
      const room = Math.min(maxClaimed, maxPerHour - count)
      const claimed = await run.checkpoint(null, (tx) => messages.claim(tx as Tx, mailbox, room))
      if (claimed.length === 0) return null
      await sendAll(run, mailbox, claimed)
      await health.works(mailbox)
      sent += claimed.length
    }
    return null
  }

  return {
    async run(run, customerId, id) {
      const again = (at: Date | null) =>
        run.finish(async (tx) => void (at && (await enqueueSending(tx as RawTransaction, customerId, id, at))))
      let mailbox: Mailbox | null = null
      try {
        mailbox = await mailboxes.toOpen(customerId, id)
        if (!mailbox) return await run.finish((tx) => messages.abandoned(tx as Tx, { id, customerId }, noMailboxText, [queued, processing]))
        const sender = mailbox
        await run.checkpoint(null, (tx) => messages.recover(tx as Tx, sender))
        await uncertain.settle(run, sender)
        if (sender.serverProtocol !== protocols.smtp) {
          await run.checkpoint(null, (tx) => messages.abandoned(tx as Tx, sender, noSenderText, [queued]))
          return await again(await messages.nextDue(sender))
        }
        if (sender.state === 'auth_failed') await messages.unreachable(sender, new MailConnectionError('auth').message)
        if (sender.state !== 'active') return
        const roomAt = await sendDue(run, sender)
        const dueAt = await messages.nextDue(sender)
        await again(dueAt && roomAt && roomAt > dueAt ? roomAt : dueAt)
      } catch (error) {
        if (!(error instanceof MailConnectionError) || run.signal.aborted) throw error
        if (mailbox && error.failed === 'auth') await mailboxes.refused(mailbox)
        await messages.unreachable({ customerId, id }, error.message)
        await again(await health.failed({ customerId, id }, error.failed))
      }
    },
  }
}
