import {
  choice,
  flagText,
  idText,
  integerText,
  line,
  nullable,
  once,
  paragraph,
  required,
  timestamp,
  updatable,
  writable,
} from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf, type RowOf } from '@caseway/kit/resource'
import { attachedFiles } from '../files/attached-file.js'
import { speakers, statuses } from './issue-sentence.js'

export const body = paragraph({ max: 50_000 })

export const issueSentenceResource = defineResource({
  name: 'IssueSentence',
  path: 'issue_sentence',
  table: 'issue_sentences',
  fields: {
    id: idText,
    customer_id: idText,
    issue_id: once(required(idText)),
    speaker: choice(...speakers),
    speaker_id: nullable(idText),
    template_id: nullable(idText),
    object_name: nullable(line({ max: 100 })),
    object_id: nullable(idText),
    body: required(body),
    original_body: nullable(body),
    status: writable(choice(...statuses)),
    rejected: flagText,
    corrected: flagText,
    reject_reason: updatable(nullable(paragraph({ max: 2_000 }))),
    reviewed_by: nullable(idText),
    waiting_since: nullable(timestamp),
    waiting_time: nullable(integerText({ min: 0, max: 2 ** 31 - 1 })),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['issue_id', 'status'],
  sort: ['id', 'modified'],
  embedded: { CommonFileObject: attachedFiles },
})

export type SentenceRow = RowOf<typeof issueSentenceResource>
export type NewSentence = InputOf<typeof issueSentenceResource>
export type SentenceChanges = ChangesOf<typeof issueSentenceResource>

/** Check constraints limit status and speaker to the values of the types. */
export const sentenceRow = (row: object) => row as SentenceRow
