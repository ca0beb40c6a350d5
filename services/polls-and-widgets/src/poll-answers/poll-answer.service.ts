import type { Id } from '@caseway/kit/caller'
import { invalid, notFound } from '@caseway/kit/errors'
import { answersOf, type Respondent, respondentOf, wrongAnswer } from '../blocks/answered.js'
import { type Block, isQuestion } from '../blocks/block.js'
import { settingsOf } from '../chat-widgets/widget-settings.js'
import { pollClosed } from '../errors.js'
import { questionsOf } from '../polls/poll-blocks.js'
import { isClosed, type PublishedPoll, type PublishedPolls } from '../polls/published-poll.js'
import { factsOf } from '../results/fact.js'
import { headerOf } from './answer-header.js'
import type { AnswerLimits } from './answer-limits.js'
import { wrongAnswerTo } from './answered-poll.js'
import type { PollAnswerRepository } from './poll-answer.repository.js'

export interface AnswerParts {
  readonly answers: PollAnswerRepository
  readonly polls: Pick<PublishedPolls, 'find'>
  readonly limits: AnswerLimits
  readonly timeZoneOf: (customerId: Id) => Promise<string>
}

type Widget = NonNullable<Awaited<ReturnType<PollAnswerRepository['findWidget']>>>

/** An answer as it came. */
export interface SentAnswer {
  readonly json: string
  readonly blocks: readonly unknown[]
  readonly userIp: string
  /** Whom the limit of addresses counts. */
  readonly network: string
}

export const pollAnswerService = ({ answers, polls, limits, timeZoneOf }: AnswerParts) => {
  const wrongIn = (blocks: readonly unknown[], poll: PublishedPoll | undefined) => ({
    ...(poll && wrongAnswerTo(poll.blocks, blocks)),
    ...wrongAnswer(blocks),
  })

  return {
    list: answers.list,
    get: answers.get,
    remove: answers.remove,

    /** The widget that an answer names; null when there is none such. */
    async widgetOf(blocks: readonly unknown[]): Promise<Widget | null> {
      const header = headerOf(blocks)
      return header ? answers.findWidget(header.customerId, header.hash) : null
    },

    /**
     * Stores an answer to `widget`.
     * @throws AppError `invalid` with the index of each wrong block; `not-found` without a widget; `conflict` when the poll has closed; `limit`
     */
    async save(widget: Widget | null, { json, blocks, userIp, network }: SentAnswer): Promise<Id> {
      await limits.ofAddress.count([network])
      if (!headerOf(blocks)) throw invalid({ ...wrongAnswer(blocks), 0: 'must be a header with a poll_id' })
      if (!widget) throw notFound()
      const { id: chatWidgetId, customerId, externalHash, settings } = widget
      const poll = await polls.find(customerId, chatWidgetId)
      if (poll && isClosed(poll)) throw pollClosed()
      const wrong = wrongIn(blocks, poll)
      if (Object.keys(wrong).length > 0) throw invalid(wrong)
      await limits.ofWidget.count([String(chatWidgetId)])

      const answered = blocks as readonly Block[]
      const respondent = respondentOf(answered)
      const answeredPoll = poll && { id: poll.pollId, version: poll.version, name: poll.name }
      return answers.create({
        ...{ customerId, chatWidgetId, userIp, pollJson: json, ...respondent, zone: await timeZoneOf(customerId) },
        poll: answeredPoll && { ...answeredPoll, facts: factsOf(questionsOf(poll.blocks), answered) },
        event: {
          ...{ customerId, chatWidgetId, externalHash, poll: answeredPoll, respondent: named(respondent) },
          openCase: settingsOf(settings).open_case === true,
          questions: answeredQuestions(answered),
        },
      })
    },
  }
}

/** What the event says of the respondent; nothing where they have left no contact. */
function named({ email, firstname, lastname, phone, company }: Respondent) {
  if ([email, firstname, lastname, phone, company].every((value) => value === null)) return undefined
  return { email: email ?? '', firstname: firstname ?? '', lastname: lastname ?? '', phone: phone ?? '', company: company ?? '' }
}

const answeredQuestions = (blocks: readonly Block[]) =>
  blocks
    .filter(isQuestion)
    .map((question) => ({ title: question.data.title, answers: answersOf(question) }))
    .filter(({ answers }) => answers.length > 0)

export type PollAnswerService = ReturnType<typeof pollAnswerService>
