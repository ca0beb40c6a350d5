import { buffer } from 'node:stream/consumers'
import type { BlobStore } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../database.js'
import type { Mailbox } from '../mail-connections/mailbox-access.js'
import type { QueuedMessages } from './queued-message.repository.js'
import { enqueueSentCopy, type SentCopies } from './sent-copy.job.js'
import type { SentCopyRepository } from './sent-copy.repository.js'
import type { OpenSentFolder } from './sent-folder.js'

interface Parts {
  readonly mailboxes: { toOpen(customerId: Id, id: Id): Promise<Mailbox | null> }
  readonly messages: Pick<QueuedMessages, 'partnerOf'>
  readonly copies: SentCopyRepository
  readonly openSent: OpenSentFolder
  readonly blobs: Pick<BlobStore, 'get'>
}

/** The pause until it is checked again whether the server is active, in milliseconds; copies wait until then. */
const notActiveMs = 3_600_000

/** Appends sent messages to the server's folder for them, unless it has a message with the same Message-ID. */
export const sentCopies = ({ mailboxes, messages, copies, openSent, blobs }: Parts): SentCopies => ({
  async run(run, customerId, mailServerId) {
    const due = await copies.due(customerId, mailServerId)
    if (due.length === 0) return
    const mailbox = await mailboxes.toOpen(customerId, mailServerId)
    const partner = mailbox && (await messages.partnerOf(mailbox))
    if (partner && !partner.isActive) return run.finish((tx) => enqueueSentCopy(tx as Tx, { id: mailServerId, customerId }, notActiveMs))
    const server = partner && (await mailboxes.toOpen(customerId, partner.id))
    const folder = server && (await openSent(server))
    const done = (ids: readonly Id[]) => (tx: unknown) => copies.done(tx as Tx, customerId, ids)
    if (!folder) return run.finish(done(due.map(({ id }) => id)))
    try {
      for (const { id, messageId, blobKey } of due) {
        run.signal.throwIfAborted()
        const stored = (await folder.has(messageId)) ? undefined : await blobs.get(blobKey)
        if (stored) await folder.append(await buffer(stored))
        await run.checkpoint(null, done([id]))
      }
    } finally {
      await folder.close()
    }
  },
})
