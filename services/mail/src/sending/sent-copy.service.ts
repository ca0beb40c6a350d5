import { buffer } from 'node:stream/consumers'
import type { BlobStore } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import type { Tx } from '../database.js'
import { MailConnectionError } from '../mail-connections/mail-connection-error.js'
import type { Mailbox } from '../mail-connections/mailbox-access.js'
import type { QueuedMessages } from './queued-message.repository.js'
import { enqueueSentCopy, type SentCopies } from './sent-copy.job.js'
import type { SentCopyRepository } from './sent-copy.repository.js'
import type { OpenSentFolder, SentFolder } from './sent-folder.js'

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
export const sentCopies = ({ mailboxes, messages, copies, openSent, blobs }: Parts): SentCopies => {
  const copyTo = async (folder: SentFolder, messageId: string, blobKey: string) => {
    const stored = (await folder.has(messageId)) ? undefined : await blobs.get(blobKey)
    if (stored) await folder.append(await buffer(stored))
  }

  return {
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
      let failed: MailConnectionError | undefined
      try {
        for (const { id, messageId, blobKey } of due) {
          run.signal.throwIfAborted()
          try {
            await copyTo(folder, messageId, blobKey)
          } catch (error) {
            if (!(error instanceof MailConnectionError)) throw error
            // The server may refuse this message only, as for its size.
            failed = error
            continue
          }
          await run.checkpoint(null, done([id]))
        }
      } finally {
        await folder.close()
      }
      if (failed) throw failed
    },
  }
}
