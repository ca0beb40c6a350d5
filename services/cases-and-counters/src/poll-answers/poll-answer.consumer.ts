import { type Consumer, consumer } from '@caseway/kit/events'
import { answerTopic } from '@caseway/protos/topics'
import { type PollCase, pollCaseOf } from './poll-case.js'

interface PollAnswers {
  open(eventId: string, pollCase: PollCase): Promise<void>
}

/** Opens a case for an answer, if its widget asks for one. */
export const pollAnswers = ({ open }: PollAnswers): Consumer =>
  consumer(answerTopic, async (answer, { id }) => {
    if (answer.openCase) await open(id, pollCaseOf(answer))
  })
