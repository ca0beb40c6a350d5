import type { Id } from '@caseway/kit/caller'
import { defineJob, enqueue, handleJob, type JobHandler } from '@caseway/kit/jobs'
import type { Tx } from '../database.js'
import type { MailFolderRepository } from './mail-folder.repository.js'

interface Payload {
  readonly customerId: string
  readonly folderId: string
}

const job = defineJob<Payload>({ name: 'folder-emptying' })

/** Enqueues the emptying of a removed folder, in the transaction that removes it. */
export const enqueueEmptying = (tx: Tx, customerId: Id, folderId: Id): Promise<void> =>
  enqueue(tx, job, { customerId: String(customerId), folderId: String(folderId) })

/** Moves the messages of a removed folder elsewhere, with a transaction for each chunk, and deletes it in the last one. */
export const folderEmptying = (folders: Pick<MailFolderRepository, 'emptyRemoved'>): JobHandler<unknown> =>
  handleJob(job, async (run) => {
    const [customerId, folderId] = [BigInt(run.payload.customerId), BigInt(run.payload.folderId)]
    for (let isLeft = true; isLeft; ) {
      run.signal.throwIfAborted()
      isLeft = await run.checkpoint(null, () => folders.emptyRemoved(customerId, folderId))
    }
  })
