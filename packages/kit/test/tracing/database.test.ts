import { office } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import { eventually, type ReceivedSpan, testTenant, wayTo } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ServedNotes, serveNotes } from '../http/support/notes.js'
import { userEvent, userTopic } from '../support/people.js'
import { type Recording, recordTraces } from './support/recording.js'

/** The requests that read in the same turn of the event loop. */
const together = 5
const all = Promise.withResolvers<void>()
let arrived = 0

let recording: Recording
let served: ServedNotes
beforeAll(async () => {
  recording = await recordTraces()
  served = await serveNotes((db) => [
    (app) => {
      app.post('/emit', async ({ caller }) => {
        await db.write(office(caller.customerId ?? 0n), (tx) => outbox(tx, userTopic, userEvent(1n)))
        return {}
      })
      app.get('/read-together', async ({ caller }) => {
        if (++arrived === together) all.resolve()
        await all.promise
        return { found: await db.read(office(caller.customerId ?? 0n)).note.findFirst() }
      })
    },
  ])
})
afterAll(async () => {
  await served.stop()
  await recording.stop()
})

const api = () => served.asExpert(testTenant(served.issuer).expert)

/** The spans below the request `name`, once the span `last` has arrived. */
async function stepsBelow(name: string, last: string): Promise<ReceivedSpan[]> {
  const root = await recording.spanOf(name)
  return eventually(() => {
    const own = recording.spans.filter(({ traceId }) => traceId === root.traceId)
    if (!own.some((span) => span.name === last)) throw new Error(`There is no ${last} yet.`)
    return own
  })
}

describe('a statement', () => {
  it('that reads is a span below the request, without its values', async () => {
    await api().get('/note?limit=3&rank=77')
    const [statement] = (await stepsBelow('GET /expert/rest/note', 'SELECT notes')).filter(({ name }) => name === 'SELECT notes')
    expect(statement).toMatchObject({
      service: 'notes',
      kind: 'client',
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': 'SELECT',
        'db.collection.name': 'notes',
        'db.query.summary': 'SELECT notes',
      },
    })
    expect(statement?.text).not.toContain('77')
    expect(wayTo(statement as ReceivedSpan, recording.spans)?.map(({ name }) => name)).toEqual(['GET /expert/rest/note', 'SELECT notes'])
  })

  it('that reads is a span below its own request when others arrive in the same turn', async () => {
    const client = api()
    await Promise.all(Array.from({ length: together }, () => client.get('/read-together')))
    await eventually(() => {
      const { spans } = recording
      const requests = spans.filter(({ name }) => name === 'GET /expert/rest/read-together')
      const reads = spans.filter(({ name, parentId }) => name === 'SELECT notes' && requests.some(({ spanId }) => spanId === parentId))
      expect([requests.length, new Set(reads.map(({ parentId }) => parentId)).size]).toEqual([together, together])
    })
  })

  it('of a transaction is a child span of it', async () => {
    await api().post('/note', { Note: { title: 'canary', rank: 1 } }, { 'idempotency-key': 'one' })
    const steps = await stepsBelow('POST /expert/rest/note', 'COMMIT')
    const [transaction] = steps.filter(({ name }) => name === 'transaction')
    const below = steps.filter(({ parentId }) => parentId === transaction?.spanId).map(({ name }) => name)
    expect(below).toEqual(expect.arrayContaining(['SAVEPOINT', 'INSERT notes', 'INSERT kit.idempotency_key', 'COMMIT']))
    expect(steps.map(({ text }) => text).join()).not.toContain('canary')
  })

  it('that fails has its SQLSTATE, and no values', async () => {
    const client = api()
    await client.post('/note', { Note: { title: 'canary twice' } })
    expect((await client.post('/note', { Note: { title: 'canary twice' } })).status).toBe(409)
    const failed = await eventually(() => {
      const span = recording.spans.find(({ name, failed }) => name === 'INSERT notes' && failed)
      if (!span) throw new Error('No statement has failed.')
      return span
    })
    expect(failed.attributes).toMatchObject({ 'db.response.status_code': '23505', 'error.type': '23505' })
    expect(failed.text).not.toContain('canary')
  })
})

describe('an event', () => {
  it('belongs to the transaction that emits it', async () => {
    await api().post('/emit', {})
    const steps = await stepsBelow('POST /expert/rest/emit', 'INSERT kit.outbox')
    const [transaction] = steps.filter(({ name, parentId }) => name === 'transaction' && parentId !== '')
    const [row] = await served.rows<{ headers: { traceparent: string } }>('SELECT headers FROM kit.outbox')
    expect(row?.headers.traceparent).toBe(`00-${transaction?.traceId}-${transaction?.spanId}-01`)
  })
})
