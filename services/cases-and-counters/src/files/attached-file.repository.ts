import { embeddedRows, sql } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { type AttachedFiles, attachedFiles } from './attached-file.js'

/** Row-level security limits employees to the files of their office, and clients to those of the sentences that they see. */
export const attachedFileRepository =
  (db: Db) =>
  (objectName: string): AttachedFiles =>
    embeddedRows(
      db,
      attachedFiles,
      (recordId) => sql`
        SELECT link.id, link.customer_id, link.common_file_id, link.object_name, link.object_id, file.id AS "CommonFile.id",
          file.customer_id AS "CommonFile.customer_id", file.name AS "CommonFile.name", file.filename AS "CommonFile.filename",
          file.mime AS "CommonFile.mime", file.size AS "CommonFile.size", file.virus_scan_status AS "CommonFile.virus_scan_status",
          file.virus_scan_error AS "CommonFile.virus_scan_error", file.file_not_exists AS "CommonFile.file_not_exists",
          'none' AS "CommonFile.compression", 'normal' AS "CommonFile.type", file.created AS "CommonFile.created",
          file.modified AS "CommonFile.modified"
        FROM common_file_objects AS link JOIN common_files AS file ON file.id = link.common_file_id
        WHERE link.object_name = ${sql.lit(objectName)} AND link.object_id = ${recordId} AND NOT file.deleted
        ORDER BY link.id`,
    )
