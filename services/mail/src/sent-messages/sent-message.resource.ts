import { choice, flagText, idText, integerText, line, nullable, required, timestamp, writable, writeOnly } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf, many, type RecordOf } from '@caseway/kit/resource'
import { mailRoles } from '../mail-servers/mail-roles.js'
import { addresses, fileIds, html, names } from './sent-message.fields.js'
import { sentFolders } from './sent-message.js'
import { recipientKinds, recipientStates } from './sent-recipient.js'

/** A message that a user writes: a draft, a queued or a sent one. Only its author sees it. */
export const sentMessageResource = defineResource({
  name: 'MailSentMysqlMessage',
  path: 'mail_sent_mysql_message',
  table: 'mail_sent_messages',
  ownedBy: 'user_id',
  fields: {
    id: idText,
    mail_server_id: required(idText),
    user_id: idText,
    client_id: nullable(idText),
    customer_id: idText,
    /** The address and name of the first recipient. */
    mail_address: line({ max: 254 }),
    mail_name: line({ max: 255 }),
    mail_to_address: writeOnly(addresses),
    mail_to_name: writeOnly(names),
    mail_cc_address: writeOnly(addresses),
    mail_cc_name: writeOnly(names),
    mail_bcc_address: writeOnly(addresses),
    mail_bcc_name: writeOnly(names),
    mail_subject: writable(line({ max: 998 })),
    mail_body: writable(html),
    /** Whether the signature of the mailbox is appended. */
    add_signature: writable(flagText),
    status: writable(integerText({ min: 0, max: 4 })),
    folder_name: choice(...sentFolders),
    send_at: writable(nullable(timestamp)),
    priority: writable(integerText({ min: 2, max: 4 })),
    request_read_receipt: writable(flagText),
    reply_to_message_id: writable(nullable(idText)),
    issue_id: writable(nullable(idText)),
    common_file_ids: writable(fileIds),
    msg_unique_identifier: nullable(line({ max: 998 })),
    size: nullable(integerText({ min: 0, max: 2 ** 31 - 1 })),
    error: nullable(line({ max: 1000 })),
    sent_at: nullable(timestamp),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['status', 'folder_name', 'mail_server_id', 'issue_id'],
  sort: ['id', 'modified'],
  roles: { read: mailRoles, create: mailRoles, update: mailRoles, remove: mailRoles },
  embedded: {
    MailSentRecipient: many('sent_message_id', {
      sent_message_id: idText,
      kind: choice(...recipientKinds),
      address: line({ max: 254 }),
      name: line({ max: 255 }),
      state: choice(...recipientStates),
      error: line({ max: 1000 }),
    }),
  },
})

export type SentMessage = RecordOf<typeof sentMessageResource>
export type NewSentMessage = InputOf<typeof sentMessageResource>
export type SentMessageChanges = ChangesOf<typeof sentMessageResource>
