import { choice, flagText, idText, integerText, jsonValue, line, nullable, paragraph, timestamp, updatable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type RecordOf } from '@caseway/kit/resource'
import Type from 'typebox'
import { autoKinds } from './arrivals/auto-kind.js'
import { messageName } from './received-message-address.js'
import { systemFolders } from './target-folder.js'

const addresses = jsonValue(Type.Array(Type.Object({ address: Type.String(), name: Type.String() })))
const tags = jsonValue(Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: 50, uniqueItems: true }))

const inLists = {
  id: idText,
  customer_id: idText,
  mail_server_id: idText,
  user_id: idText,
  client_id: nullable(idText),
  mail_thread_id: idText,
  timestamp,
  mail_address: line({ max: 320 }),
  mail_name: line({ max: 255 }),
  mail_to: addresses,
  mail_cc: addresses,
  mail_subject: line({ max: 998 }),
  has_attachments: flagText,
  priority: integerText({ min: 2, max: 4 }),
  tags: updatable(tags),
  msg_unique_identifier: nullable(line({ max: 998 })),
  in_reply_to_msg_uid: nullable(line({ max: 998 })),
  reference: line({ max: 8000 }),
  is_read: updatable(flagText),
  folder_name: updatable(nullable(choice(...systemFolders))),
  mail_folder_id: updatable(nullable(idText)),
  issue_id: updatable(nullable(idText)),
  auto_kind: nullable(choice(...autoKinds)),
  parse_state: choice('parsed', 'failed'),
  size: integerText({ min: 0, max: 2 ** 31 - 1 }),
  /** Whether its attachments were left on the mail server. */
  partial: flagText,
  created: timestamp,
  modified: timestamp,
}

const shared = {
  ...messageName,
  table: 'mail_received_messages',
  where: { removed: false },
} as const

/** One message. */
export const receivedMessageResource = defineResource({
  ...shared,
  fields: { ...inLists, mail_body: paragraph({ max: 2 ** 21 }) },
})

/** Messages in lists, without their bodies: a page would be hundreds of megabytes. */
export const listedMessageResource = defineResource({
  ...shared,
  documentedAs: 'MailReceivedMysqlMessageInList',
  fields: inLists,
  filter: ['folder_name', 'mail_folder_id', 'mail_thread_id', 'issue_id', 'client_id', 'user_id', 'is_read'],
  sort: ['timestamp', 'id', 'modified'],
  defaultSort: '-timestamp',
  search: { table: 'mail_received_documents', of: 'message_id', found: 'matching_messages' },
  unindexed: { is_read: 'It is used together with a folder, whose messages are read from the newest on.' },
})

export type ListedMessage = RecordOf<typeof listedMessageResource>
export type ReceivedMessageChanges = ChangesOf<typeof listedMessageResource>
