import { choice, idText, once, required } from '@caseway/kit/fields'
import { defineResource, type InputOf, one } from '@caseway/kit/resource'
import { fields as fileFields } from '../common-files/common-file-fields.js'
import { objectNames } from './common-file-object.js'

const links = {
  name: 'CommonFileObject',
  table: 'common_file_objects',
  fields: {
    id: idText,
    customer_id: idText,
    common_file_id: once(required(idText)),
    object_name: once(required(choice(...objectNames))),
    object_id: once(required(idText)),
  },
} as const

const ofClient = { audience: 'client', ownedBy: 'user_client_id' } as const

/** The attachment of a file to an object. */
export const commonFileObjectResource = defineResource({ ...links, path: 'common_file_object' })

/** The attachments that a client sees. */
export const clientFileObjectResource = defineResource({ ...links, ...ofClient, path: 'common_file_object' })

const listed = {
  ...links,
  documentedAs: 'AttachedCommonFile',
  path: 'common_file/common_file_object',
  embedded: { CommonFile: one('common_file_id', fileFields) },
  filter: ['object_name', 'object_id'],
  unindexed: { object_name: 'Requests with the name contain the id as well, which has an index.' },
} as const

/** The attached files, one entry for each link. */
export const attachedFileResource = defineResource(listed)

export const clientAttachedFileResource = defineResource({ ...listed, ...ofClient })

export type NewFileObject = InputOf<typeof commonFileObjectResource>
