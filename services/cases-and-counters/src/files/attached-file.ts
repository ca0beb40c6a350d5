import type { Client, Employee, Id } from '@caseway/kit/caller'
import type { Scope } from '@caseway/kit/database'
import { choice, flagText, idText, integerText, line, nullable, timestamp } from '@caseway/kit/fields'
import { many } from '@caseway/kit/resource'

const commonFile = {
  id: idText,
  customer_id: idText,
  name: line({ max: 255 }),
  filename: line({ max: 255 }),
  mime: line({ max: 255 }),
  size: integerText({ min: 0, max: 2 ** 31 - 1 }),
  virus_scan_status: line({ max: 20 }),
  virus_scan_error: nullable(line({ max: 1000 })),
  file_not_exists: flagText,
  compression: choice('none'),
  type: choice('normal'),
  created: timestamp,
  modified: timestamp,
}

/** The files of a record, as `CommonFileObject`: each link with its file. */
export const attachedFiles = many(
  'object_id',
  { id: idText, customer_id: idText, common_file_id: idText, object_name: line({ max: 100 }), object_id: idText },
  { CommonFile: commonFile },
)

interface CommonFile {
  readonly id: Id
  readonly customerId: Id
  readonly name: string
  readonly filename: string
  readonly mime: string
  readonly size: number
  readonly virusScanStatus: string
  readonly virusScanError: string | null
  readonly fileNotExists: boolean
  readonly compression: 'none'
  readonly type: 'normal'
  readonly created: Date
  readonly modified: Date
}

/** A link with its file. */
export interface AttachedFile {
  readonly id: Id
  readonly customerId: Id
  readonly commonFileId: Id
  readonly objectName: string
  readonly objectId: Id
  readonly commonFile: CommonFile
}

/** The files of some objects of one name, those that the caller sees. */
export type AttachedFiles = (caller: Employee | Client | Scope, ids: readonly Id[]) => Promise<readonly AttachedFile[]>
