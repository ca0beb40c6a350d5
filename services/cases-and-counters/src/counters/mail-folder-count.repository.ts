import type { Id } from '@caseway/kit/caller'
import { forgetRevisions, keepNewest, office, platform, prepared, sql } from '@caseway/kit/database'
import { type Copy, consumer } from '@caseway/kit/events'
import { Folder, type FolderCountEvent } from '@caseway/protos/mail/v1/events'
import { folderCountTopic } from '@caseway/protos/topics'
import type { Db } from '../database.js'
import type { FolderValue, MailFolder } from './counter.js'
import type { PublishCounters } from './issue-counter.repository.js'
import type { MailFolderDirectory } from './mail-folder-directory.js'

interface CopiedCount extends FolderValue {
  readonly customerId: Id
  readonly revision: bigint
  /** Whether the folder was deleted. */
  readonly removed: boolean
}

const table = 'mail_folder_counts'

const names: Partial<Record<Folder, MailFolder>> = {
  [Folder.CLIENTS]: 'clients',
  [Folder.OTHERS]: 'others',
  [Folder.DRAFTS]: 'drafts',
  [Folder.OFFICES]: 'offices',
  [Folder.PROVIDERS]: 'providers',
  [Folder.LEADS]: 'leads',
  [Folder.CUSTOM]: 'custom',
}

/** The count of an event; none for a folder of a later version of the contract, which this build does not know. */
function countOf({ folder, count: value, ...event }: FolderCountEvent): CopiedCount[] {
  const name = names[folder]
  return name ? [{ ...event, folder: name, value }] : []
}

const rowOf = ({ customerId, userId, folder, folderId, value, revision, removed }: CopiedCount) => ({
  ...{ customer_id: customerId, user_id: userId, folder, folder_id: folderId, value, revision, removed },
})

/** Counts that the snapshot has not contained since `forgetRevisions`, as those of deleted folders. */
const forgotten = prepared(
  () => sql<CopiedCount>`
    SELECT customer_id AS "customerId", user_id AS "userId", folder, folder_id AS "folderId", 0 AS value, 0::bigint AS revision, true AS removed
    FROM mail_folder_counts WHERE revision = -1 AND NOT removed`,
)

/** The counts of mail folders, in the table `mail_folder_counts`. */
export function copiedFolderCounts(db: Db, publish: PublishCounters, directory: MailFolderDirectory): Copy<FolderCountEvent[]> {
  const keepOf = (customerId: Id, counts: readonly CopiedCount[]): Promise<void> =>
    db.write(office(customerId), async (tx) => {
      const written = await keepNewest(tx, table, counts.map(rowOf), ['customer_id', 'user_id', 'folder', 'folder_id'])
      const users = [...new Set(counts.map(({ userId }) => userId))]
      if (written > 0) await db.batch(office(customerId), publish(customerId, users))
    })

  const keep = async (counts: readonly CopiedCount[]): Promise<void> => {
    for (const [customerId, ofOffice] of Map.groupBy(counts, ({ customerId }) => customerId)) await keepOf(customerId, ofOffice)
  }

  return {
    name: table,
    consumer: consumer(folderCountTopic, (event) => keep(countOf(event))),
    pages: directory.counts,
    store: (page) => keep(page.flatMap(countOf)),
    forget: () => forgetRevisions(db, table),
    endForgotten: async () => keep(await db.query(platform, forgotten(undefined))),
  }
}
