import { choice, email, hexColor, idText, line, nullable, paragraph, timestamp } from '@caseway/kit/fields'
import { many, one, only } from '@caseway/kit/resource'
import { speakers, statuses } from '../issue-sentences/issue-sentence.js'

const name = line({ max: 100 })

const sentence = {
  id: idText,
  issue_id: idText,
  speaker: choice(...speakers),
  speaker_id: nullable(idText),
  body: paragraph({ max: 50_000 }),
  created: timestamp,
}

/** The objects that a board embeds in a case: its client by their newest business card, its owner, its tags, and its last sentence, sent or not. */
export const issueEmbeddable = {
  Client: one('user_client_id', {
    ...{ id: idText, first_name: name, last_name: name, email: nullable(email), phone: nullable(line({ max: 40 })) },
    company_name: nullable(line({ max: 255 })),
  }),
  User: one('user_id', { id: idText, email: nullable(email), firstname: nullable(name), lastname: nullable(name) }),
  Tag: many('issue_id', { issue_id: idText, id: idText, name, color_background: hexColor, color_text: hexColor }),
  last_sentence: only('issue_id', { ...sentence, status: choice(...statuses) }),
}

/** The last sentence that the client sees. */
export const clientIssueEmbeddable = { last_sentence: only('issue_id', sentence) }
