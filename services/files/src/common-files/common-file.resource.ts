import { idText, once } from '@caseway/kit/fields'
import { defineResource } from '@caseway/kit/resource'
import { fields } from './common-file-fields.js'

const commonFiles = {
  name: 'CommonFile',
  path: 'common_file',
  sort: ['id', 'name', 'modified'],
} as const

/** The files of an office. */
export const commonFileResource = defineResource({ ...commonFiles, table: 'common_files', fields })

const few = 'A client sees few files.'

/** The files that a client has uploaded or sees by an attachment. The view has a row for each file and each client who sees it. */
export const clientCommonFileResource = defineResource({
  ...commonFiles,
  table: 'client_common_files',
  audience: 'client',
  ownedBy: 'reader_id',
  fields: { ...fields, customer_id: once(idText) },
  filter: ['customer_id'],
  unindexed: { id: few, name: few, modified: few },
})
