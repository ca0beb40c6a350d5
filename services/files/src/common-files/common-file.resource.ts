import { choice, flagText, idText, integerText, line, nullable, once, timestamp } from '@caseway/kit/fields'
import { defineResource } from '@caseway/kit/resource'
import { scanStatuses } from './common-file.js'

const commonFiles = {
  name: 'CommonFile',
  path: 'common_file',
  table: 'common_files',
  sort: ['id', 'name', 'modified'],
} as const

const fields = {
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

/** The files of an office. */
export const commonFileResource = defineResource({ ...commonFiles, fields })

/** The files that a client has sent. */
export const clientCommonFileResource = defineResource({
  ...commonFiles,
  audience: 'client',
  ownedBy: 'user_client_id',
  fields: { ...fields, customer_id: once(idText) },
  filter: ['customer_id'],
})
