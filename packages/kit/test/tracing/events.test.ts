import { platform } from '@caseway/kit/database'
import { batchConsumer, consumer, createDirectTransport, type EventRecords, outbox, startConsumers, startRelay } from '@caseway/kit/events'
import { requestContext } from '@caseway/kit/observability'
import { tracerOf } from '@caseway/kit/tracing'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { batchTransport } from '../support/consumers.js'
import { log, type Notes, notesDatabase } from '../support/notes.js'
import { keepPerson, recordOf, userEvent, userTopic } from '../support/people.js'
import { type Recording, recordTraces } from './support/recording.js'

let recording: Recording
let notes: Notes
const stops: { stop(): Promise<void> }[] = []
let refusals = 0
beforeAll(async () => {
  recording = await recordTraces()
  notes = await notesDatabase()
  const transport = createDirectTransport()
  const keep = consumer(userTopic, async (event) => {
    if (refusals-- > 0) throw new Error('canary')
    await notes.db.write(platform, (tx) => keepPerson(tx, event))
  })
  const parts = { db: notes.db, transport, log, metrics: notes.metrics }
  stops.push(await startConsumers({ ...parts, group: 'listeners', consumers: [keep], backOffMs: [1] }), startRelay(parts))
})
afterAll(async () => {
  await Promise.all(stops.map((each) => each.stop()))
  await notes.stop()
  await recording.stop()
})

const emit = (id: bigint) => notes.db.write(platform, (tx) => outbox(tx, userTopic, userEvent(id, { lastname: 'Canary' })))

/** Emits an event within a trace, and returns its spans of that name, once there are `count`. */
async function stepsOf(id: bigint, name: string, count = 1) {
  const begun = tracerOf('kit-test')?.begin('writing', 'internal', {})
  await requestContext.run({ requestId: 'r', deadline: Date.now() + 2_000, ...begun }, () => emit(id))
  begun?.span?.end()
  const own = () => recording.spans.filter(({ traceId }) => begun?.traceparent?.includes(traceId))
  const named = (wanted: string) => own().filter((span) => span.name === wanted)
  await eventually(() => expect(named(name)).toHaveLength(count))
  return { named, own }
}

describe('an event', () => {
  it('continues the trace from the transaction over the relay to the consumer', async () => {
    const { named, own } = await stepsOf(1n, 'process auth.user.v1')
    await eventually(() => expect(named('send auth.user.v1')).toHaveLength(1))
    const [[sent], [taken]] = [named('send auth.user.v1'), named('process auth.user.v1')]
    const written = own().find(({ spanId }) => spanId === sent?.parentId)
    const message = {
      'messaging.system.name': 'direct',
      'messaging.destination.name': 'auth.user.v1',
      'messaging.message.id': expect.any(String),
    }
    expect(written).toMatchObject({ name: 'transaction' })
    expect(sent).toMatchObject({ kind: 'producer', attributes: { ...message, 'messaging.operation.type': 'send' } })
    expect(taken).toMatchObject({
      kind: 'consumer',
      parentId: sent?.spanId,
      attributes: { ...message, 'messaging.operation.type': 'process', 'messaging.consumer.group.name': 'listeners' },
    })
    const kept = own().find(({ parentId }) => parentId === taken?.spanId)
    expect(kept).toMatchObject({ name: 'transaction' })
    expect(
      own()
        .map(({ text }) => text)
        .join(),
    ).not.toContain('Canary')
  })

  it('that is retried has a span for each try', async () => {
    refusals = 1
    const { named } = await stepsOf(2n, 'process auth.user.v1', 2)
    expect(named('process auth.user.v1').map(({ failed }) => failed)).toEqual([true, false])
    expect(JSON.stringify(named('process auth.user.v1'))).not.toContain('canary')
  })

  it('in a batch has a span in its own trace, and the work is in one of the traces', async () => {
    const { transport, bring } = batchTransport()
    const keep = batchConsumer(userTopic, (events) =>
      notes.db.write(platform, async (tx) => {
        for (const event of events) await keepPerson(tx, event)
      }),
    )
    stops.push(await startConsumers({ ...{ transport, db: notes.db, log, metrics: notes.metrics }, group: 'batches', consumers: [keep] }))
    const traces = [1, 2].map(() => tracerOf('kit-test')?.begin('writing', 'internal', {}))
    const records = [undefined, ...traces].map((trace, at) => {
      const record = recordOf(userEvent(BigInt(at + 1)))
      return { ...record, headers: { ...record.headers, ...(trace?.traceparent && { traceparent: trace.traceparent }) } }
    })
    await bring(records as unknown as EventRecords)
    for (const trace of traces) trace?.span?.end()
    const namesOf = (trace: (typeof traces)[number]) =>
      recording.spans.filter(({ traceId }) => trace?.traceparent?.includes(traceId)).map(({ name }) => name)
    await eventually(() => expect(traces.map((trace) => namesOf(trace).length)).toEqual([expect.any(Number), 2]))
    const [first, second] = traces.map(namesOf)
    expect(second?.sort()).toEqual(['process auth.user.v1', 'writing'])
    expect(first).toEqual(expect.arrayContaining(['process auth.user.v1', 'transaction', 'writing']))
  })

  it('that was not emitted by a traced request has no trace', async () => {
    const before = recording.spans.length
    await emit(3n)
    await eventually(async () => expect(await notes.rows('SELECT FROM person_copies WHERE id = 3')).toHaveLength(1))
    const { named } = await stepsOf(4n, 'process auth.user.v1')
    const others = recording.spans.slice(before).filter(({ traceId }) => traceId !== named('process auth.user.v1')[0]?.traceId)
    expect(others).toEqual([])
  })
})
