import { forgetRevisions, keepNewest, type ParamOf, platform, prepared, sql } from '@caseway/kit/database'
import { batchConsumer, type Copy } from '@caseway/kit/events'
import { type FileEvent, ScanStatus } from '@caseway/protos/files/v1/events'
import { fileTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import type { FileDirectory } from './file-directory.js'

const table = 'common_files'

/** An unknown status of a later version of the contract counts as failed. */
const statuses: Partial<Record<ScanStatus, string>> = {
  [ScanStatus.PENDING]: 'pending',
  [ScanStatus.OK]: 'ok',
  [ScanStatus.INFECTED]: 'infected',
}

const rowOf = (file: FileEvent) => ({
  ...{ id: file.id, customer_id: file.customerId, name: file.name, filename: file.filename, mime: file.mime },
  size: file.sizeBytes,
  virus_scan_status: statuses[file.scanStatus] ?? 'failed',
  virus_scan_error: file.scanError || null,
  file_not_exists: file.fileNotExists,
  created: file.created ?? new Date(0),
  modified: file.modified ?? new Date(0),
  ...{ deleted: file.deleted, revision: file.revision },
})

const revisionsOf = prepared(
  (param: ParamOf<readonly bigint[]>) => sql<{ id: bigint; revision: bigint }>`
    SELECT id, revision FROM common_files WHERE id = ANY (${param((ids) => ids)}::bigint[]) ORDER BY id FOR UPDATE`,
)

/** The copies of files and their links, in the tables `common_files` and `common_file_objects`. */
export function copiedFiles(db: Db, directory: FileDirectory): Copy<FileEvent[]> {
  const store = (files: readonly FileEvent[]): Promise<void> =>
    db.write(platform, async (tx) => {
      await keepNewest(tx, table, files.map(rowOf))
      const revisions = new Map(
        (await db.query(platform, revisionsOf(files.map(({ id }) => id)))).map(({ id, revision }) => [id, revision]),
      )
      await replaceLinks(
        tx,
        files.filter(({ id, revision }) => revisions.get(id) === revision),
      )
    })

  return {
    name: table,
    consumer: batchConsumer(fileTopic, store),
    pages: () => directory.files(),
    store,

    /** The snapshot contains no deleted files, so all files count as deleted until it contains them. */
    async forget() {
      await forgetRevisions(db, table)
      await db.write(platform, (tx) => tx.$executeRaw`UPDATE common_files SET deleted = true WHERE revision = -1 AND NOT deleted`)
    },
  }
}

/** Links are created and deleted, but never changed. */
async function replaceLinks(tx: Tx, files: readonly FileEvent[]): Promise<void> {
  const links = files.flatMap(({ id, customerId, links }) => links.map((link) => ({ ...link, customerId, commonFileId: id })))
  const commonFileId = { in: files.map(({ id }) => id) }
  await tx.commonFileObject.deleteMany({ where: { commonFileId, id: { notIn: links.map(({ id }) => id) } } })
  await tx.commonFileObject.createMany({ data: links, skipDuplicates: true })
}
