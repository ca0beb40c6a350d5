import { experts } from '@caseway/kit/caller'
import { idText, line, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf } from '@caseway/kit/resource'
import { storedHtml } from '../mail-html/stored-html.field.js'

/** A template of the office for mail, with fields in it: `Dear {{client.firstname}}`. */
export const mailTemplateResource = defineResource({
  name: 'MailTemplate',
  path: 'mail_template',
  table: 'mail_templates',
  fields: {
    id: idText,
    customer_id: idText,
    name: required(line({ max: 100 })),
    mail_subject: writable(line({ max: 998 })),
    mail_body: writable(storedHtml),
    created: timestamp,
    modified: timestamp,
  },
  sort: ['id', 'name', 'modified'],
  roles: { create: experts, update: experts, remove: experts },
})

export type NewMailTemplate = InputOf<typeof mailTemplateResource>
export type MailTemplateChanges = ChangesOf<typeof mailTemplateResource>
