import { choice, flagText, idText, line, nullable, once, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf, type RecordOf } from '@caseway/kit/resource'
import { systemFolders } from '../received-messages/target-folder.js'

const few = 'An office has some hundred folders.'

export const mailFolderResource = defineResource({
  name: 'MailFolder',
  path: 'mail_folder',
  table: 'mail_folders',
  fields: {
    id: idText,
    customer_id: idText,
    user_id: nullable(idText),
    parent_id: writable(nullable(idText)),
    name: required(line({ max: 100 })),
    is_global: once(flagText),
    system_name: nullable(choice(...systemFolders)),
    created: timestamp,
    modified: timestamp,
  },
  where: { removed: false },
  filter: ['parent_id'],
  sort: ['id', 'name', 'modified'],
  unindexed: { id: few, name: few, modified: few },
})

export type MailFolderRecord = RecordOf<typeof mailFolderResource>
export type NewMailFolder = InputOf<typeof mailFolderResource>
export type MailFolderChanges = ChangesOf<typeof mailFolderResource>
