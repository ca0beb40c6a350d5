import { date, email, flagText, idText, integerText, line, nullable, once, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf, type RecordOf } from '@caseway/kit/resource'
import { storedHtml } from '../mail-html/stored-html.field.js'
import { mailRoles } from './mail-roles.js'
import { emailOrNone, mailHost } from './mail-server.fields.js'

const few = 'An office has some hundred mailboxes.'

export const mailServerResource = defineResource({
  name: 'MailServer',
  path: 'mail_server',
  table: 'mail_servers',
  fields: {
    id: idText,
    user_name: writable(line({ max: 255 })),
    user_email: required(email),
    user_login: required(line({ max: 255, min: 1 })),
    /** The row contains the mask, so that a read which does not replace it shows nothing; the service shows the password to the owner. */
    user_password: writable(nullable(line({ max: 1024, min: 1 }))),
    /** The name of the OAuth 2.0 provider that replaces the password. */
    oauth_provider: once(nullable(line({ max: 32, min: 1 }))),
    reply_to: writable(emailOrNone),
    signature: writable(storedHtml),
    server_protocol: required(integerText({ min: 1, max: 3 })),
    server_address: required(mailHost),
    server_port: required(integerText({ min: 1, max: 65_535 })),
    server_secure: writable(flagText),
    server_encryption: writable(integerText({ min: 0, max: 2 })),
    download_attachments: writable(nullable(flagText)),
    request_read_receipt: writable(flagText),
    priority: writable(integerText({ min: 2, max: 4 })),
    customer_id: idText,
    user_id: idText,
    fetch_after_date: writable(nullable(date)),
    state: line({ max: 32 }),
    last_error: nullable(line({ max: 32 })),
    last_fetch_at: nullable(timestamp),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['user_id', 'state'],
  sort: ['id', 'modified'],
  unindexed: { state: few },
  roles: { read: mailRoles, create: mailRoles, update: mailRoles, remove: mailRoles },
})

export type MailServer = RecordOf<typeof mailServerResource>
export type NewMailServer = InputOf<typeof mailServerResource>
export type MailServerChanges = ChangesOf<typeof mailServerResource>
