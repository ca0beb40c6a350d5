import type { MailParser } from '../../parsing/mail-parser.js'
import type { Announced } from '../../received-messages/arrivals/arrived-message.js'
import type { FolderAtWork, Pages } from '../folders/folder-at-work.js'
import type { LightMessage } from '../sources/mailbox-source.js'
import { ahead } from './ahead.js'
import { batchCommit, type CommitParts } from './batch-commit.service.js'
import { batchesOf } from './fetch-batch.js'
import { messageDownload } from './message-download.service.js'

export interface FetchParts extends CommitParts {
  readonly parser: MailParser
}

/** Fetches and stores messages of a folder. */
export function messageFetch({ parser, ...parts }: FetchParts) {
  const { intake } = parts
  const { download, storeFetched } = messageDownload(parts.store)
  const commit = batchCommit(parts)

  const announce = async ({ folder }: FolderAtWork, light: readonly LightMessage[]): Promise<Announced[]> => {
    const headers = await parser.headers(light.map(({ header }) => header))
    const { id: remoteFolderId, epoch, specialUse } = folder
    return light.flatMap(({ uid, uidl, size, internalDate, seen }, at) => {
      const read = headers[at]
      return read
        ? [
            {
              place: { remoteFolderId, epoch, uid, specialUse, ...(uidl !== undefined && { uidl }) },
              size,
              internalDate,
              seen,
              headers: read,
            },
          ]
        : []
    })
  }

  async function* batches(work: FolderAtWork, pages: Pages) {
    for await (const light of pages) {
      const announced = await announce(work, light)
      const decisions = await (work.plan?.decide(announced) ?? intake.decide(work.mailbox, announced))
      const decided = announced.flatMap((message, at) => {
        const decision = decisions[at]
        return decision ? [{ message, decision }] : []
      })
      for (const batch of batchesOf(decided)) yield await download(work, batch)
    }
  }

  async function* outcomes(work: FolderAtWork, pages: Pages) {
    for await (const one of ahead(batches(work, pages))) yield await storeFetched(work, one)
  }

  return {
    announce,

    /**
     * Fetches messages; when it resolves, each is stored, discarded or recorded as failed. While a batch is committed, the next is stored and parsed,
     * and the one after it fetched. Bytes that were stored ahead of a failure are left to the sweep.
     */
    async fetch(work: FolderAtWork, pages: Pages): Promise<void> {
      for await (const outcome of ahead(outcomes(work, pages))) {
        work.run.signal.throwIfAborted()
        await commit(work, outcome)
      }
    },
  }
}

export type MessageFetch = ReturnType<typeof messageFetch>
