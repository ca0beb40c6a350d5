import { LeaseLost } from '@caseway/kit/jobs'
import type { Tx } from '../../database.js'
import type { Intake } from '../../received-messages/arrivals/arrived-message.js'
import type { FolderAtWork } from '../folders/folder-at-work.js'
import type { RemoteFolderRepository } from '../folders/remote-folder.repository.js'
import { failureOf, type Outcome } from './fetch-outcome.js'
import type { MessageStore } from './message-store.service.js'

export interface CommitParts {
  readonly intake: Intake
  readonly store: MessageStore
  readonly folders: Pick<RemoteFolderRepository, 'advance'>
  /** Whether the database or the storage may work again later. */
  readonly isTemporary: (error: unknown) => boolean
}

/** Commits batches of messages that have arrived. */
export function batchCommit({ intake, store, folders, isTemporary }: CommitParts) {
  /** Writes the messages and the cursor of the folder in one transaction. */
  const commit = async ({ run, mailbox, folder, plan }: FolderAtWork, { batch, arrived, failed }: Outcome) => {
    const discarded = batch.flatMap(({ message, decision }) =>
      decision.kind === 'discard' ? [{ ...message, reason: decision.reason }] : [],
    )
    const uids = batch.map(({ message }) => message.place.uid)
    const failedUids = new Set(failed.map(({ uid }) => uid))
    const succeeded = uids.filter((uid) => !failedUids.has(uid))
    const lastUid = uids.at(-1) ?? 0n
    const { unusedBlobs } = await run.checkpoint(plan?.cursor(lastUid) ?? null, async (plain) => {
      const tx = plain as Tx
      const result = await intake.store(tx, mailbox, arrived)
      await intake.discard(tx, mailbox, discarded)
      await folders.advance(tx, folder, lastUid, failed, succeeded)
      const { stored, duplicates } = result
      const bytes = arrived.reduce((sum, { size }) => sum + size, 0)
      await plan?.count(tx, { stored, duplicates, discarded: discarded.length, errors: failed.length, bytes })
      return result
    })
    await store.remove(unusedBlobs.map((blobKey) => ({ blobKey })))
  }

  /** Writes messages one by one. One that cannot be stored is recorded as failed, and does not block the others. */
  const commitEach = async (work: FolderAtWork, { batch, arrived, failed }: Outcome) => {
    for (const one of batch) {
      const { uid } = one.message.place
      const own = {
        batch: [one],
        arrived: arrived.filter(({ place }) => place.uid === uid),
        failed: failed.filter((failure) => failure.uid === uid),
      }
      await commit(work, own).catch(async (error: unknown) => {
        if (error instanceof LeaseLost || isTemporary(error)) throw error
        await commit(work, { batch: [one], arrived: [], failed: [failureOf(one.message, 'store')] })
        await store.remove(own.arrived)
      })
    }
  }

  /** Writes a batch in one transaction, or its messages one by one where that fails. @returns when each is stored, discarded or recorded as failed */
  return async (work: FolderAtWork, outcome: Outcome): Promise<void> => {
    try {
      await commit(work, outcome)
    } catch (error) {
      // The transaction has written nothing.
      if (error instanceof LeaseLost) await store.remove(outcome.arrived)
      if (error instanceof LeaseLost || isTemporary(error)) throw error
      await commitEach(work, outcome)
    }
  }
}
