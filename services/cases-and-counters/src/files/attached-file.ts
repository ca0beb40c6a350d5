import type { EmbeddedRead } from '@caseway/kit/database'
import { choice, flagText, idText, integerText, line, nullable, timestamp } from '@caseway/kit/fields'
import { type EmbeddedObject, many } from '@caseway/kit/resource'

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

/** The files of a record as `CommonFileObject`: each link with its file. */
export const attachedFiles = many(
  'object_id',
  { id: idText, customer_id: idText, common_file_id: idText, object_name: line({ max: 100 }), object_id: idText },
  { CommonFile: commonFile },
)

/** A link with its file. */
export type AttachedFile = EmbeddedObject<typeof attachedFiles>

/** Reads the files of some records of one kind, as far as the caller sees them. */
export type AttachedFiles = EmbeddedRead<typeof attachedFiles>
