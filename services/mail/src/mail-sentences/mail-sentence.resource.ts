import { choice, idText, nullable, timestamp } from '@caseway/kit/fields'
import { defineResource } from '@caseway/kit/resource'
import { mailRoles } from '../mail-servers/mail-roles.js'
import { sentenceReasons, sentenceStates } from './mail-sentence.js'

/** The state of a sentence that was to be sent as mail, and the reason for it. */
export const mailSentenceResource = defineResource({
  name: 'MailSentence',
  path: 'mail_sentence',
  table: 'mail_sentences',
  fields: {
    id: idText,
    customer_id: idText,
    issue_id: idText,
    issue_sentence_id: idText,
    state: choice(...sentenceStates),
    reason: nullable(choice(...sentenceReasons)),
    mail_sent_message_id: nullable(idText),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['issue_id', 'issue_sentence_id'],
  sort: ['id', 'modified'],
  roles: { read: mailRoles },
})
