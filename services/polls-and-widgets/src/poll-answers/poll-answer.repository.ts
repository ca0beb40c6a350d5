import type { Employee, Id } from '@caseway/kit/caller'
import { office, resourceReads } from '@caseway/kit/database'
import { notFound } from '@caseway/kit/errors'
import { outbox } from '@caseway/kit/events'
import type { AnswerEvent } from '@caseway/protos/polls_and_widgets/v1/events'
import { answerTopic } from '@caseway/protos/topics'
import type { Respondent } from '../blocks/answered.js'
import type { Db, Tx } from '../database.js'
import { questionsOf } from '../polls/poll-blocks.js'
import { type Fact, factsOf } from '../results/fact.js'
import type { PollCounts } from '../results/poll-count.js'
import { pollAnswerResource } from './poll-answer.resource.js'

/** An answer that has been checked. */
export interface NewAnswer extends Respondent {
  readonly customerId: Id
  readonly chatWidgetId: Id
  readonly poll: { readonly id: Id; readonly version: number; readonly facts: readonly Fact[] } | undefined
  /** Where the office is, by IANA: the day is that of its clocks. */
  readonly zone: string
  readonly userIp: string
  readonly pollJson: string
  readonly event: Omit<AnswerEvent, 'id' | 'submissionTime'>
}

interface Stored {
  readonly id: Id
  readonly day: string
  readonly submissionTime: Date
}

export const pollAnswerRepository = (db: Db, counts: PollCounts) => {
  const reads = resourceReads(db, pollAnswerResource)
  return {
    list: reads.list,
    get: reads.get,
    some: reads.some,

    /** The widget of this office with this hash. Of an unknown one and of one of another office there is no row. */
    findWidget: (customerId: Id, externalHash: string) =>
      db.read(office(customerId)).chatWidget.findFirst({ where: { customerId, externalHash } }),

    /** The answer, its event and its counts are one. @throws AppError `not-found` when the poll has just been deleted */
    create: (answer: NewAnswer): Promise<Id> =>
      db.write(office(answer.customerId), async (tx) => {
        const { customerId, poll, event } = answer
        if (poll) await keepPoll(tx, customerId, poll.id)
        const { id, day, submissionTime } = await insert(tx, answer)
        await outbox(tx, answerTopic, { ...event, id, submissionTime })
        // The last one: answers to the same poll wait for each other from here on.
        if (poll) await counts.count({ customerId, pollId: poll.id, version: poll.version, day, facts: poll.facts }, 1)
        return id
      }),

    /** Its counts go with it. */
    remove: (caller: Employee, id: Id, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        await reads.lock(tx, caller, id, expected)
        const { pollId, pollVersion, pollJson, day } = await tx.pollAnswer.delete({ where: { id, customerId } })
        if (pollVersion === null) return
        const { blocks } = await tx.pollVersion.findFirstOrThrow({ where: { customerId, pollId, version: pollVersion } })
        const facts = factsOf(questionsOf(JSON.parse(blocks)), JSON.parse(pollJson))
        await counts.count({ customerId, pollId, version: pollVersion, day: day.toISOString().slice(0, 10), facts }, -1)
      }),
  }
}

export type PollAnswerRepository = ReturnType<typeof pollAnswerRepository>

/** Until the transaction ends nobody deletes the poll. */
async function keepPoll(tx: Tx, customerId: Id, id: Id): Promise<void> {
  const kept = await tx.$queryRaw<object[]>`SELECT 1 AS kept FROM polls WHERE customer_id = ${customerId} AND id = ${id} FOR KEY SHARE`
  if (kept.length === 0) throw notFound()
}

async function insert(tx: Tx, { customerId, chatWidgetId, poll, zone, userIp, pollJson, ...person }: NewAnswer): Promise<Stored> {
  const { email, firstname, lastname, phone, company } = person
  const [stored] = await tx.$queryRaw<Stored[]>`
    INSERT INTO poll_answers (
      customer_id, chat_widget_id, poll_id, poll_version, user_ip, day, poll_json, email, firstname, lastname, phone, company
    ) VALUES (
      ${customerId}, ${chatWidgetId}, ${poll?.id ?? chatWidgetId}, ${poll?.version ?? null}, ${userIp}, (now() AT TIME ZONE ${zone})::date,
      ${pollJson}, ${email}, ${firstname}, ${lastname}, ${phone}, ${company}
    ) RETURNING id, day::text, submission_time AS "submissionTime"`
  return stored as Stored
}
