import type { Employee, Id } from '@caseway/kit/caller'
import { office, onViolation, type ParamOf, prepared, resourceReads, sql } from '@caseway/kit/database'
import { notFound } from '@caseway/kit/errors'
import { outboxStatement } from '@caseway/kit/events'
import { AnswerEvent } from '@caseway/protos/polls_and_widgets/v1/events'
import { answerTopic } from '@caseway/protos/topics'
import type { Respondent } from '../blocks/answered.js'
import type { Db, Tx } from '../database.js'
import { questionsOf } from '../polls/poll-blocks.js'
import { type Fact, factsOf } from '../results/fact.js'
import type { PollCounts } from '../results/poll-count.js'
import { pollAnswerResource } from './poll-answer.resource.js'

/** A validated answer. */
export interface NewAnswer extends Respondent {
  readonly customerId: Id
  readonly chatWidgetId: Id
  readonly poll: { readonly id: Id; readonly version: number; readonly facts: readonly Fact[] } | undefined
  readonly submissionTime: Date
  /** The local date of the office, as `YYYY-MM-DD`. */
  readonly day: string
  readonly userIp: string
  readonly pollJson: string
  readonly event: Omit<AnswerEvent, 'id'>
}

export const pollAnswerRepository = (db: Db, counts: PollCounts) => {
  const reads = resourceReads(db, pollAnswerResource)
  return {
    list: reads.list,
    get: reads.get,
    some: reads.some,

    /**
     * Stores the answer, its counts and its event in one transaction. The counts lock the poll against deletion, and serialize its answers.
     * @throws AppError `not-found` where the poll has just been deleted
     */
    async create(answer: NewAnswer): Promise<Id> {
      const { customerId, poll, day, event } = answer
      const counted = poll ? [counts.counting({ customerId, pollId: poll.id, version: poll.version, day, facts: poll.facts }, 1)] : []
      try {
        const [stored] = await db.batch(office(customerId), insertAnswer(answer), ...counted, insertEvent(event))
        return (stored as { id: Id }).id
      } catch (error) {
        throw onViolation(error, 'poll_counts_poll_id_fkey', notFound())
      }
    },

    /** Removes an answer with its counts. These come from the stored facts and not from the blocks, in which an erased person is blacked out. */
    remove: (caller: Employee, id: Id, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        await reads.lock(tx, caller, id, expected)
        const answer = await tx.pollAnswer.delete({ where: { id, customerId } })
        const { pollId, pollVersion: version, day } = answer
        if (version === null) return
        const facts = answer.facts === null ? await factsRead(tx, { ...answer, version }) : (answer.facts as unknown as Fact[])
        const counted = { customerId, pollId, version, day: day.toISOString().slice(0, 10), facts }
        await db.batch(caller, counts.counting(counted, -1))
      }),
  }
}

interface CountedBlocks {
  readonly customerId: Id
  readonly pollId: Id
  readonly version: number
  readonly pollJson: string
}

/** Reconstructs the facts of an answer that was stored without them. */
async function factsRead(tx: Tx, { customerId, pollId, version, pollJson }: CountedBlocks): Promise<Fact[]> {
  const { blocks } = await tx.pollVersion.findFirstOrThrow({ where: { customerId, pollId, version } })
  return factsOf(questionsOf(JSON.parse(blocks)), JSON.parse(pollJson))
}

export type PollAnswerRepository = ReturnType<typeof pollAnswerRepository>

const insertAnswer = prepared(
  (param: ParamOf<NewAnswer>) => sql<{ id: Id }>`
    INSERT INTO poll_answers (
      customer_id, chat_widget_id, poll_id, poll_version, user_ip, submission_time, day, poll_json, facts, email, firstname, lastname, phone,
      company
    ) VALUES (
      ${param(({ customerId }) => customerId)}, ${param(({ chatWidgetId }) => chatWidgetId)},
      ${param(({ poll, chatWidgetId }) => poll?.id ?? chatWidgetId)}, ${param(({ poll }) => poll?.version ?? null)},
      ${param(({ userIp }) => userIp)}, ${param(({ submissionTime }) => submissionTime)}, ${param(({ day }) => day)}::date,
      ${param(({ pollJson }) => pollJson)}, ${param(({ poll }) => (poll ? JSON.stringify(poll.facts) : null))}::jsonb,
      ${param(({ email }) => email)}, ${param(({ firstname }) => firstname)}, ${param(({ lastname }) => lastname)}, ${param(({ phone }) => phone)}, ${param(({ company }) => company)}
    ) RETURNING id`,
)

/** The event of the answer that this transaction has just inserted, with its id. */
const insertCompleted = outboxStatement(answerTopic, (param: ParamOf<{ event: AnswerEvent }>) => {
  const event = param(({ event }) => AnswerEvent.encode(event).finish())
  return sql`kit.protobuf_int64(1, currval('poll_answers_id_seq')) || ${event}::bytea`
})

const insertEvent = (event: NewAnswer['event']) => insertCompleted({ event: { ...event, id: 0n } })
