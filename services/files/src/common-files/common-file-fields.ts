import { choice, flagText, idText, integerText, line, nullable, timestamp } from '@caseway/kit/fields'
import { scanStatuses } from './common-file.js'

/** The fields of a file. */
export const fields = {
  id: idText,
  customer_id: idText,
  name: line({ max: 255 }),
  filename: line({ max: 255 }),
  mime: line({ max: 255 }),
  size: integerText({ min: 0, max: 2 ** 31 - 1 }),
  virus_scan_status: choice(...scanStatuses),
  virus_scan_error: nullable(line({ max: 1000 })),
  file_not_exists: flagText,
  compression: choice('none'),
  type: choice('normal'),
  created: timestamp,
  modified: timestamp,
}
