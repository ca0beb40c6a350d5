import type { Id } from '@caseway/kit/caller'
import { type FileEvent, ScanStatus as WireStatus } from '@caseway/protos/files/v1/events'
import type { ScanStatus } from './common-file.js'

interface FileRow {
  readonly id: Id
  readonly customerId: Id
  readonly name: string
  readonly filename: string
  readonly mime: string
  readonly size: number
  readonly virusScanStatus: string
  readonly virusScanError: string | null
  readonly fileNotExists: boolean
  readonly created: Date
  readonly modified: Date
  readonly version: number
}

interface LinkRow {
  readonly id: Id
  readonly objectName: string
  readonly objectId: Id
}

export const wireStatuses: Record<ScanStatus, WireStatus> = {
  pending: WireStatus.PENDING,
  ok: WireStatus.OK,
  infected: WireStatus.INFECTED,
  failed: WireStatus.FAILED,
}

/** The event with the state of a file. Its revision is the version of the row. */
export const fileEvent = (file: FileRow, links: readonly LinkRow[]): FileEvent => ({
  ...{ id: file.id, customerId: file.customerId, name: file.name, filename: file.filename, mime: file.mime },
  sizeBytes: BigInt(file.size),
  scanStatus: wireStatuses[file.virusScanStatus as ScanStatus],
  scanError: file.virusScanError ?? '',
  fileNotExists: file.fileNotExists,
  created: file.created,
  modified: file.modified,
  links: links.map(({ id, objectName, objectId }) => ({ id, objectName, objectId })),
  deleted: false,
  revision: BigInt(file.version),
})

/** The last event of a file. */
export const deletedFileEvent = ({ id, customerId, version }: Pick<FileRow, 'id' | 'customerId' | 'version'>): FileEvent => ({
  ...{ id, customerId, name: '', filename: '', mime: '', sizeBytes: 0n },
  scanStatus: WireStatus.UNSPECIFIED,
  scanError: '',
  fileNotExists: false,
  created: undefined,
  modified: undefined,
  links: [],
  deleted: true,
  revision: BigInt(version + 1),
})
