import { createDatabase, platform } from '@caseway/kit/database'
import { createDirectTransport, type EventRecord, outbox, type RelayOptions, startRelay } from '@caseway/kit/events'
import { UserEvent } from '@caseway/protos/auth/v1/events'
import { eventually } from '@caseway/testing'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type pg from 'pg'
import { log, type Notes, notesDatabase } from '../support/notes.js'
import { userEvent, userTopic } from '../support/people.js'
import { PrismaClient } from '../support/src/generated/client.js'

let notes: Notes
const open: { stop(): Promise<unknown> }[] = []
beforeEach(async () => {
  notes = await notesDatabase()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((part) => part.stop()))
  await notes.stop()
})

const emit = (id: bigint) => notes.db.write(platform, (tx) => outbox(tx, userTopic, userEvent(id)))

/** Starts a relay. `ids` are those that it has published, `froms` the lowest ids of its reads. */
function relay(options: Partial<RelayOptions> = {}) {
  const ids: bigint[] = []
  const froms: bigint[] = []
  const transport = {
    ...createDirectTransport(),
    publish: async (records: readonly EventRecord[]) => {
      ids.push(...records.map(({ payload }) => UserEvent.decode(payload).id))
      return []
    },
  }
  const connect = async () => {
    const connection = await notes.db.connect()
    const query = connection.query.bind(connection) as (...statement: unknown[]) => unknown
    const watched = (statement: pg.QueryConfig, ...values: unknown[]) => {
      if (statement.name === 'kit_unpublished') froms.push(BigInt(statement.values?.[0]))
      return query(statement, ...values)
    }
    return Object.assign(connection, { query: watched })
  }
  const lowWatermark = { everyMs: 0 }
  const db = { ...notes.db, connect }
  open.push(startRelay({ db, transport, log, metrics: notes.metrics, pollMs: 5, gatherMs: 0, lowWatermark, ...options }))
  return { ids, from: () => froms.at(-1) ?? 0n, froms }
}
/** Opens a connection on which `begin` starts a transaction, which stays open. */
async function hold(begin: (connection: pg.Client) => Promise<unknown>) {
  const connection = await createDatabase({ url: notes.ownerUrl, client: PrismaClient, log, metrics: notes.metrics }).connect()
  await begin(connection)
  open.push({ stop: () => connection.end() })
  return connection
}

it('a relay does not read deleted rows again, even while there is an old snapshot', async () => {
  await hold(async (connection) => {
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await connection.query('SELECT FROM kit.outbox')
  })
  const { ids, from } = relay()
  for (const id of [1n, 2n, 3n]) await emit(id)
  await eventually(() => expect(ids).toEqual([1n, 2n, 3n]))
  await eventually(() => expect(from()).toBe(4n))
})

it('the low watermark does not pass an event that is not committed yet', async () => {
  const late = await hold(async (connection) => {
    await connection.query('BEGIN')
    const payload = Buffer.from(UserEvent.encode(userEvent(1n)).finish())
    await connection.query('INSERT INTO kit.outbox (topic, key, payload) VALUES ($1, $2, $3)', [userTopic.name, '7', payload])
  })
  const { ids, from, froms } = relay()
  for (const id of [2n, 3n]) await emit(id)
  await eventually(() => expect(ids).toEqual([2n, 3n]))
  const looks = froms.length
  await eventually(() => expect(froms.length).toBeGreaterThan(looks + 10))
  expect(from()).toBeLessThanOrEqual(1n)
  await late.query('COMMIT')
  await eventually(() => expect(ids).toEqual([2n, 3n, 1n]))
  await eventually(() => expect(from()).toBe(4n))
})

it('a relay periodically reads from the first row: a transaction may take an id before it has an xid', async () => {
  const { ids, from } = relay({ lowWatermark: { everyMs: 0, fullReadEveryMs: 50 } })
  for (const id of [1n, 2n]) await emit(id)
  await eventually(() => expect(from()).toBe(3n))
  await notes.rows('DELETE FROM kit.outbox')
  await emit(4n)
  await notes.rows('INSERT INTO kit.outbox (id, topic, key, payload) OVERRIDING SYSTEM VALUE VALUES (1, $1, $2, $3)', [
    userTopic.name,
    '7',
    Buffer.from(UserEvent.encode(userEvent(3n)).finish()),
  ])
  await eventually(() => expect(ids).toContain(3n))
})
