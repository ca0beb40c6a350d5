import type { Id } from '@caseway/kit/caller'
import type { AnswerEvent } from '@caseway/protos/polls_and_widgets/v1/events'
import { answersOf, type Respondent } from '../blocks/answered.js'
import { type Block, isQuestion } from '../blocks/block.js'
import { settingsOf } from '../chat-widgets/widget-settings.js'

interface Answer {
  readonly widget: { readonly id: Id; readonly customerId: Id; readonly externalHash: string; readonly settings: string | null }
  readonly poll: AnswerEvent['poll']
  readonly submissionTime: Date
  readonly respondent: Respondent
  readonly blocks: readonly Block[]
}

/** The event of an answer, without the id. */
export const answerEvent = ({ widget, poll, submissionTime, respondent, blocks }: Answer): Omit<AnswerEvent, 'id'> => ({
  customerId: widget.customerId,
  chatWidgetId: widget.id,
  externalHash: widget.externalHash,
  ...{ poll, submissionTime },
  openCase: settingsOf(widget.settings).open_case === true,
  respondent: named(respondent),
  questions: blocks
    .filter(isQuestion)
    .map((question) => ({ title: question.data.title, answers: answersOf(question) }))
    .filter(({ answers }) => answers.length > 0),
})

/** The respondent in the event; undefined where they left no contact. */
function named({ email, firstname, lastname, phone, company }: Respondent): AnswerEvent['respondent'] {
  if ([email, firstname, lastname, phone, company].every((value) => value === null)) return undefined
  return { email: email ?? '', firstname: firstname ?? '', lastname: lastname ?? '', phone: phone ?? '', company: company ?? '' }
}
