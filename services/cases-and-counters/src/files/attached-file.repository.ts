import type { Id } from '@caseway/kit/caller'
import { type ParamOf, prepared, sql } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { AttachedFile, AttachedFiles } from './attached-file.js'

interface Asked {
  readonly objectName: string
  readonly ids: readonly Id[]
}

type Row = { readonly linkId: Id; readonly objectId: Id } & Omit<AttachedFile['commonFile'], 'compression' | 'type'>

/** Row-level security limits them to those of the office, or of the sentences that the client sees. */
const attachedTo = prepared(
  (param: ParamOf<Asked>) => sql<Row>`
    SELECT link.id AS "linkId", link.customer_id AS "customerId", link.object_id AS "objectId", file.id, file.name, file.filename, file.mime, file.size,
      file.virus_scan_status AS "virusScanStatus", file.virus_scan_error AS "virusScanError", file.file_not_exists AS "fileNotExists",
      file.created, file.modified
    FROM common_file_objects AS link JOIN common_files AS file ON file.id = link.common_file_id
    WHERE link.object_name = ${param(({ objectName }) => objectName)} AND link.object_id = ANY (${param(({ ids }) => ids)}::bigint[])
      AND NOT file.deleted
    ORDER BY link.id`,
)

export const attachedFileRepository =
  (db: Db) =>
  (objectName: string): AttachedFiles =>
  async (caller, ids) =>
    (await db.query(caller, attachedTo({ objectName, ids }))).map(({ linkId, objectId, ...file }) => ({
      ...{ id: linkId, customerId: file.customerId, commonFileId: file.id, objectName, objectId },
      commonFile: { ...file, compression: 'none', type: 'normal' },
    }))
