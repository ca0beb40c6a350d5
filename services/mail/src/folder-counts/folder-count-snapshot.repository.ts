import { type ParamOf, platform, prepared, sql } from '@caseway/kit/database'
import type { FolderCountEvent } from '@caseway/protos/mail/v1/events'
import type { Db } from '../database.js'
import { eventOf, type FolderCountRow, folderOf } from './folder-count-event.js'

const maxPage = 1000

interface Page {
  readonly after: FolderCountEvent | undefined
  readonly limit: number
}

type Key = Pick<FolderCountEvent, 'customerId' | 'userId' | 'folderId'>
const keyOf = (param: ParamOf<Page>, of: (after: Key) => bigint) => sql`${param(({ after }) => (after ? of(after) : 0n))}::bigint`

const page = prepared(
  (param: ParamOf<Page>) => sql<FolderCountRow & { removed: boolean }>`
    SELECT customer_id AS "customerId", user_id AS "userId", folder, folder_id AS "folderId", count, revision,
      coalesce((SELECT removed FROM mail_folders WHERE mail_folders.id = folder_id), false) AS removed
    FROM folder_counts
    WHERE (customer_id, user_id, folder, folder_id) > (
      ${keyOf(param, ({ customerId }) => customerId)}, ${keyOf(param, ({ userId }) => userId)},
      ${param(({ after }) => (after && folderOf(after)) ?? '')}::text, ${keyOf(param, ({ folderId }) => folderId)})
    ORDER BY customer_id, user_id, folder, folder_id LIMIT ${param(({ limit }) => limit)}`,
)

/** The counts of all folders as the messages of their events, in pages. */
export const folderCountSnapshotRepository = (db: Db) => ({
  /** @param limit 0 for the maximum size of a page */
  async page(after: FolderCountEvent | undefined, limit: number): Promise<FolderCountEvent[]> {
    const found = await db.query(platform, page({ after, limit: limit > 0 ? Math.min(limit, maxPage) : maxPage }))
    return found.map(({ removed, ...row }) => eventOf(row, removed))
  },
})
