import { buffer } from 'node:stream/consumers'
import type { BlobStore } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import type { Run } from '@caseway/kit/jobs'
import type { Tx } from '../database.js'
import { MailConnectionError } from '../mail-connections/mail-connection-error.js'
import type { Mailbox } from '../mail-connections/mailbox-access.js'
import type { QueuedMessages } from './queued-message.repository.js'
import { enqueueSentCopy, type SentCopies } from './sent-copy.job.js'
import { copyAgainMs, type DueCopy, type SentCopyRepository } from './sent-copy.repository.js'
import type { OpenSentFolder, SentFolder } from './sent-folder.js'

interface Parts {
  readonly mailboxes: { toOpen(customerId: Id, id: Id): Promise<Mailbox | null> }
  readonly messages: Pick<QueuedMessages, 'partnerOf'>
  readonly copies: SentCopyRepository
  readonly openSent: OpenSentFolder
  readonly blobs: Pick<BlobStore, 'get'>
}

/** Appends sent messages to the server's folder for them, unless it has a message with the same Message-ID. */
export const sentCopies = ({ mailboxes, messages, copies, openSent, blobs }: Parts): SentCopies => {
  /** @returns false where the server refuses the message */
  const copyTo = async (folder: SentFolder, messageId: string, blobKey: string): Promise<boolean> => {
    const stored = (await folder.has(messageId)) ? undefined : await blobs.get(blobKey)
    return stored ? folder.append(await buffer(stored)) : true
  }

  const copyAll = async (run: Run<unknown>, customerId: Id, folder: SentFolder, due: readonly DueCopy[]) => {
    for (const { id, messageId, blobKey } of due) {
      run.signal.throwIfAborted()
      const failed = () => run.checkpoint(null, (tx) => copies.failed(tx as Tx, customerId, id))
      const isStored = await copyTo(folder, messageId, blobKey).catch(async (error: unknown) => {
        // A server may end the connection because of this message: the next run begins with the others.
        if (error instanceof MailConnectionError) await failed()
        throw error
      })
      // The server may refuse this message only, as for its size.
      if (!isStored) await failed()
      else await run.checkpoint(null, (tx) => copies.done(tx as Tx, customerId, [id]))
    }
  }

  return {
    async run(run, customerId, mailServerId) {
      const later = async (tx: unknown) => {
        if (await copies.areLeft(tx as Tx, customerId, mailServerId))
          await enqueueSentCopy(tx as Tx, { id: mailServerId, customerId }, copyAgainMs)
      }
      const due = await copies.due(customerId, mailServerId)
      if (due.length === 0) return run.finish(later)
      const mailbox = await mailboxes.toOpen(customerId, mailServerId)
      const partner = mailbox && (await messages.partnerOf(mailbox))
      // Copies wait until the server is active.
      if (partner && !partner.isActive) return run.finish(later)
      const server = partner && (await mailboxes.toOpen(customerId, partner.id))
      const folder = server && (await openSent(server))
      if (!folder) {
        const ids = due.map(({ id }) => id)
        return run.finish(async (tx) => {
          await copies.done(tx as Tx, customerId, ids)
          await later(tx)
        })
      }
      try {
        await copyAll(run, customerId, folder, due)
      } finally {
        await folder.close()
      }
      await run.finish(later)
    },
  }
}
