import { isDeepStrictEqual } from 'node:util'
import type { Id } from '@caseway/kit/caller'
import type { RawTransaction } from '@caseway/kit/events'
import type { Run } from '@caseway/kit/jobs'
import type { Tx } from '../database.js'
import { type Failed, MailConnectionError } from '../mail-connections/mail-connection-error.js'
import { type Mailbox, protocols } from '../mail-connections/mailbox-access.js'
import { states } from '../sent-messages/sent-message.js'
import { type BatchParts, batchSending } from './batch-sending.service.js'
import { noMailboxText, noSenderText, type OfMailbox } from './queued-message.js'
import type { QueuedMessages } from './queued-message.repository.js'
import { enqueueSending, type MailSending, type SendingStart } from './sending.job.js'
import type { UncertainMessages } from './uncertain-message.service.js'

export interface SendingParts extends BatchParts {
  readonly mailboxes: {
    /** @throws MailConnectionError where the OAuth 2.0 provider does not answer */
    toOpen(customerId: Id, id: Id): Promise<Mailbox | null>
    /** To be called when the server has refused the login. */
    refused(mailbox: Mailbox): Promise<void>
  }
  readonly messages: QueuedMessages
  readonly uncertain: UncertainMessages
  readonly health: {
    works(mailbox: Mailbox): Promise<void>
    failed(mailbox: Pick<Mailbox, 'id' | 'customerId'>, failed: Failed): Promise<number | null>
  }
  /** The most messages of one mailbox within an hour. */
  readonly maxPerHour: number
}

/** The most messages that are claimed at once: the claims of a process that dies wait for its lease. */
const maxClaimed = 30
/** The most messages of one mailbox before other mailboxes have their turn. */
const maxPerRun = 120

const { queued, processing } = states

const startAt = (runAt: Date | null): SendingStart | null => runAt && { runAt }

export function mailSending(parts: SendingParts): MailSending {
  const { mailboxes, messages, uncertain, health, maxPerHour } = parts
  const sendAll = batchSending(parts)

  /** Sends due messages. @returns when the hourly limit allows more, where it is reached */
  const sendDue = async (run: Run<unknown>, mailbox: Mailbox): Promise<Date | null> => {
    let sent = 0
    let roomAt: Date | null = null
    await sendAll(run, mailbox, async (unsettled) => {
      run.signal.throwIfAborted()
      // A mailbox that was paused or changed meanwhile is opened anew by the next run.
      if (!isDeepStrictEqual(await mailboxes.toOpen(mailbox.customerId, mailbox.id), mailbox)) return []
      const { count, firstEndsAt } = await messages.lastHour(mailbox)
      roomAt = count >= maxPerHour ? firstEndsAt : null
      const room = Math.min(maxClaimed, maxPerRun - sent, maxPerHour - count - unsettled)
      if (room <= 0) return []
      const claimed = await run.checkpoint(null, (tx) => messages.claim(tx as Tx, mailbox, room))
      sent += claimed.length
      return claimed
    })
    if (sent > 0) await health.works(mailbox)
    return roomAt
  }

  /** Ends the run. @param next the start of the next one; null where nothing is due */
  const finish = (run: Run<unknown>, { customerId, id }: OfMailbox, next: SendingStart | null) =>
    run.finish(async (tx) => void (next && (await enqueueSending(tx as RawTransaction, customerId, id, next))))

  /** Settles what an earlier run has left, and sends what is due. */
  const send = async (run: Run<unknown>, sender: Mailbox) => {
    await run.checkpoint(null, (tx) => messages.recover(tx as Tx, sender))
    await uncertain.settle(run, sender)
    if (sender.serverProtocol !== protocols.smtp) {
      await run.checkpoint(null, (tx) => messages.abandoned(tx as Tx, sender, noSenderText, [queued]))
      return finish(run, sender, startAt(await messages.nextDue(sender)))
    }
    if (sender.state === 'auth_failed') await messages.unreachable(sender, new MailConnectionError('auth').message)
    if (sender.state !== 'active') return
    const roomAt = await sendDue(run, sender)
    const dueAt = await messages.nextDue(sender)
    await finish(run, sender, startAt(dueAt && roomAt && roomAt > dueAt ? roomAt : dueAt))
  }

  return {
    async run(run, customerId, id) {
      let mailbox: Mailbox | null = null
      try {
        mailbox = await mailboxes.toOpen(customerId, id)
        if (mailbox) await send(run, mailbox)
        else await run.finish((tx) => messages.abandoned(tx as Tx, { id, customerId }, noMailboxText, [queued, processing]))
      } catch (error) {
        if (!(error instanceof MailConnectionError) || run.signal.aborted) throw error
        if (mailbox && error.failed === 'auth') await mailboxes.refused(mailbox)
        await messages.unreachable({ customerId, id }, error.message)
        const delayMs = await health.failed({ customerId, id }, error.failed)
        await finish(run, { customerId, id }, delayMs === null ? null : { delayMs })
      }
    },
  }
}
