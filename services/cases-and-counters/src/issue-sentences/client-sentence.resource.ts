import { choice, idText, nullable, once, required, timestamp } from '@caseway/kit/fields'
import { defineResource, type InputOf } from '@caseway/kit/resource'
import { attachedFiles } from '../files/attached-file.js'
import { speakers } from './issue-sentence.js'
import { body } from './issue-sentence.resource.js'

/** The sentences that a client sees: those that they wrote and those that were sent to them. Others have no client. */
export const clientSentenceResource = defineResource({
  name: 'IssueSentence',
  path: 'issue_sentence',
  table: 'issue_sentences',
  audience: 'client',
  ownedBy: 'user_client_id',
  fields: {
    id: idText,
    customer_id: idText,
    issue_id: once(required(idText)),
    speaker: choice(...speakers),
    speaker_id: nullable(idText),
    body: once(required(body)),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['customer_id', 'issue_id'],
  sort: ['id', 'modified'],
  embedded: { CommonFileObject: attachedFiles },
})

export type NewClientSentence = InputOf<typeof clientSentenceResource>
