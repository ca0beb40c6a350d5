import type { Id } from '@caseway/kit/caller'
import type { AnswerEvent, AnsweredQuestion, Respondent } from '@caseway/protos/polls_and_widgets/v1/events'
import type { Contact } from '../issue-initiators/issue-initiator.js'

/** The case that is opened for the answer to a poll. */
export interface PollCase {
  readonly customerId: Id
  readonly answerId: Id
  readonly submitted: Date
  readonly subject: string
  /** The answers as readable text. */
  readonly body: string
  /** Null if the respondent gave neither a name nor contact data. */
  readonly contact: Contact | null
}

export const pollCaseOf = ({ id, customerId, poll, submissionTime, questions, respondent }: AnswerEvent): PollCase => ({
  ...{ customerId, answerId: id, submitted: submissionTime ?? new Date() },
  subject: line(poll?.name ?? '', 255) || 'Answers from the website',
  body: bodyOf(questions, respondent) || 'No question was answered.',
  contact: respondent ? contactOf(respondent) : null,
})

/** The maximum length of a sentence. */
const maxBody = 50_000
const between = '\n\n'

/** The text of the answers, which is cut if it is too long; the contact data of the respondent is always complete. */
function bodyOf(questions: readonly AnsweredQuestion[], respondent: Respondent | undefined): string {
  const details = paragraph(detailsOf(respondent))
  const room = maxBody - (details ? lengthOf(details) + between.length : 0)
  return [shortened(paragraph(questions.map(paragraphOf).join(between)), room), details].filter(Boolean).join(between)
}

const paragraphOf = ({ title, answers }: AnsweredQuestion) => [title, ...answers].join('\n')

const detailsOf = (respondent: Respondent | undefined): string => {
  const { firstname = '', lastname = '', company = '', email = '', phone = '' } = respondent ?? {}
  return [[firstname, lastname].filter(Boolean).join(' '), company, email, phone].filter(Boolean).join('\n')
}

/** The contact data of a card. It needs a last name: without one, other given data takes its place. */
function contactOf(respondent: Respondent): Contact | null {
  const [firstName, lastName] = [line(respondent.firstname, 100), line(respondent.lastname, 100)]
  const [companyName, phone] = [line(respondent.company, 255), line(respondent.phone, 40)]
  const email = respondent.email.length <= 254 ? respondent.email : ''
  const called = lastName || line(companyName || email || phone, 100)
  if (!firstName && !called) return null
  return { firstName, lastName: called, email: email || null, phone: phone || null, companyName: companyName || null }
}

const lengthOf = (text: string) => [...text].length
const cut = (text: string, max: number) => [...text].slice(0, max).join('')
const shortened = (text: string, max: number) => (lengthOf(text) > max ? `${cut(text, max - 1)}…` : text)
/** The characters that `paragraph` of the kit's fields refuses: control characters, and those that change the direction of text to disguise it. */
const notInParagraph = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu
const paragraph = (text: string) => text.replace(/[\u2028\u2029]/gu, '\n').replace(notInParagraph, '')
const line = (text: string, max: number) => cut(text.replace(/[\p{Cc}\s]+/gu, ' ').trim(), max)
