import type { Id } from '@caseway/kit/caller'
import { invalid, notFound } from '@caseway/kit/errors'
import { dayAt } from '@caseway/kit/fields'
import { respondentOf, wrongAnswer } from '../blocks/answered.js'
import type { Block } from '../blocks/block.js'
import { questionsOf } from '../polls/poll-blocks.js'
import { isClosed, type PublishedPoll, type PublishedPolls, type PublishedWidget } from '../polls/published-poll.js'
import { factsOf } from '../results/fact.js'
import { answerEvent } from './answer-event.js'
import { headerOf } from './answer-header.js'
import type { AnswerLimits } from './answer-limits.js'
import { wrongAnswerTo } from './answered-poll.js'
import type { PollAnswerRepository } from './poll-answer.repository.js'

export interface AnswerParts {
  readonly answers: PollAnswerRepository
  readonly polls: Pick<PublishedPolls, 'find'>
  readonly limits: AnswerLimits
}

/** An answer as it was sent. */
export interface SentAnswer {
  readonly json: string
  readonly blocks: readonly unknown[]
  readonly userIp: string
  /** The networks of the sender, for the limit by address; see `networksOf` of kit/http. */
  readonly networks: readonly string[]
  /** The IANA name of the time zone of the widget's office. */
  readonly zone: string
}

export const pollAnswerService = ({ answers, polls, limits }: AnswerParts) => {
  const wrongIn = (blocks: readonly unknown[], poll: PublishedPoll | undefined) =>
    poll ? { ...wrongAnswerTo(poll.blocks, blocks), ...wrongAnswer(blocks, () => undefined) } : wrongAnswer(blocks)

  return {
    list: answers.list,
    get: answers.get,
    remove: answers.remove,

    /** The widget that an answer names; undefined where it is unknown, or belongs to another office than the answer says. */
    async widgetOf(blocks: readonly unknown[]): Promise<PublishedWidget | undefined> {
      const header = headerOf(blocks)
      return header && polls.find(header.hash, header.customerId)
    },

    /**
     * Stores an answer to `widget`.
     * @throws AppError `invalid` with the index of each invalid block; `not-found` where the widget is undefined or its poll has closed; `limit`
     */
    async save(widget: PublishedWidget | undefined, { json, blocks, userIp, networks, zone }: SentAnswer): Promise<Id> {
      await limits.ofAddress.count(networks)
      if (!headerOf(blocks)) throw invalid({ ...wrongAnswer(blocks), 0: 'must be a header with a poll_id' })
      if (!widget || (widget.poll && isClosed(widget.poll))) throw notFound()
      const { customerId, poll } = widget
      const wrong = wrongIn(blocks, poll)
      if (Object.keys(wrong).length > 0) throw invalid(wrong)
      await limits.ofWidget.count([String(widget.id)])

      const answered = blocks as readonly Block[]
      const respondent = respondentOf(answered)
      const submissionTime = new Date()
      const day = dayAt(submissionTime, zone)
      const answeredPoll = poll && { id: poll.pollId, version: poll.version, name: poll.name }
      return answers.create({
        ...{ customerId, chatWidgetId: widget.id, userIp, submissionTime, day, pollJson: json, ...respondent },
        poll: answeredPoll && { ...answeredPoll, facts: factsOf(questionsOf(poll.blocks), answered) },
        event: answerEvent({ widget, poll: answeredPoll, submissionTime, respondent, blocks: answered }),
      })
    },
  }
}

export type PollAnswerService = ReturnType<typeof pollAnswerService>
