import { office, type ParamOf, platform, prepared, sql } from '@caseway/kit/database'
import { eventually, randomId } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Db, type Notes, notesDatabase } from '../support/notes.js'
import { type PostgresProxy, postgresProxy } from '../support/postgres-proxy.js'

let notes: Notes
let proxy: PostgresProxy
let db: Db
beforeAll(async () => {
  notes = await notesDatabase()
})
beforeEach(async () => {
  proxy = await postgresProxy(notes.url)
  db = notes.open({ max: 1 }, proxy.url)
})
afterEach(async () => {
  await db.close()
  proxy.stop()
})
afterAll(() => notes.stop())

interface Titled {
  readonly customerId: bigint
  readonly title: string
}
const customer = (param: ParamOf<Titled>) => param(({ customerId }) => customerId)
const title = (param: ParamOf<Titled>) => param(({ title }) => title)

const insert = prepared(
  (param: ParamOf<Titled>) =>
    sql<{ id: bigint }>`INSERT INTO notes (customer_id, title) VALUES (${customer(param)}, ${title(param)}) RETURNING id`,
)
const comment = prepared(
  (param: ParamOf<Titled>) => sql`
    INSERT INTO note_comments (customer_id, note_id, body) VALUES (${customer(param)}, currval('notes_id_seq'), ${title(param)})`,
)
const everyTitle = prepared((_: ParamOf<null>) => sql<{ title: string }>`SELECT title FROM notes ORDER BY id`)

const written = async (customerId: bigint) => {
  const rows = await notes.rows<{ title: string; body: string }>(
    'SELECT title, body FROM notes LEFT JOIN note_comments ON note_id = notes.id WHERE notes.customer_id = $1 ORDER BY notes.id',
    [customerId],
  )
  return rows.map(({ title, body }) => `${title}: ${body}`)
}
const both = (customerId: bigint, title: string) =>
  db.batch(office(customerId), insert({ customerId, title }), comment({ customerId, title }))

/** The first batch of a connection prepares its statements, later ones are sent in one message: both must behave alike. */
describe.each(['first', 'later'])('the %s batch of a connection', (which) => {
  beforeEach(async () => {
    if (which === 'later') await both(randomId(), 'earlier')
  })

  it('runs all statements, each of which sees the writes of those before it, and returns the rows of the first', async () => {
    const id = randomId()
    const [note] = await both(id, 'one')
    expect(await notes.rows('SELECT note_id::text, body FROM note_comments WHERE customer_id = $1', [id])).toEqual([
      { note_id: String(note?.id), body: 'one' },
    ])
  })

  it('writes nothing when one fails', async () => {
    const id = randomId()
    await both(id, 'kept')
    const failed = db.batch(office(id), insert({ customerId: id, title: 'undone' }), insert({ customerId: id, title: 'kept' }))
    await expect(failed).rejects.toMatchObject({ code: '23505' })
    expect(await written(id)).toEqual(['kept: kept'])
    await both(id, 'next')
    expect(await written(id)).toEqual(['kept: kept', 'next: next'])
  })

  it('is bound to its tenant, and leaves no scope on the connection', async () => {
    const [id, other] = [randomId(), randomId()]
    await both(other, 'of the other')
    await expect(both(id, 'own')).resolves.toHaveLength(1)
    expect(await db.batch(office(id), everyTitle(null))).toEqual([{ title: 'own' }])
    await expect(db.batch(office(id), insert({ customerId: other, title: 'smuggled' }))).rejects.toMatchObject({ code: '42501' })
    expect(await db.query(office(other), everyTitle(null))).toEqual([{ title: 'of the other' }])
  })

  it('sends notifications after the commit, and not when it failed', async () => {
    const id = randomId()
    const received: string[] = []
    await notes.db.listen(`batch_${id}`, (payload) => received.push(payload))
    const notifying = (payload: string) => ({
      ...insert({ customerId: id, title: 'once' }),
      notifies: [{ channel: `batch_${id}`, payload }],
    })
    await db.batch(office(id), notifying('written'))
    await expect(db.batch(office(id), notifying('failed'))).rejects.toMatchObject({ code: '23505' })
    db.notify(`batch_${id}`, 'last')
    await eventually(() => expect(received).toContain('last'))
    expect(received).toEqual(['written', 'last'])
  })

  it('inside of a write is part of its transaction', async () => {
    const id = randomId()
    const undone = db.write(office(id), async () => {
      await both(id, 'undone')
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await db.write(platform, async (tx) => {
      await both(id, 'kept')
      expect(await tx.$queryRaw`SELECT title FROM notes WHERE customer_id = ${id}`).toEqual([{ title: 'kept' }])
    })
    expect(await written(id)).toEqual(['kept: kept'])
  })
})

describe('a batch', () => {
  it('is one packet with its commit, once its statements are prepared', async () => {
    await both(randomId(), 'prepared')
    const before = proxy.packets()
    await both(randomId(), 'sent')
    expect(proxy.packets() - before).toBe(1)
  })

  it.each([
    ['before', []],
    ['answered', ['twice: twice']],
  ] as const)('whose connection is lost (%s) leaves the outcome unknown, and is not sent again', async (when, rows) => {
    const id = randomId()
    await both(id, 'once')
    proxy.cut('twice', when)
    await expect(both(id, 'twice')).rejects.toMatchObject({ kind: 'uncertain', code: 'OUTCOME_UNKNOWN' })
    await eventually(async () => expect(await written(id)).toEqual(['once: once', ...rows]))
    await both(id, 'again')
    expect(await written(id)).toEqual(['once: once', ...rows, 'again: again'])
  })

  it('is sent again after a deadlock', async () => {
    const id = randomId()
    await both(id, 'prepared')
    await notes.rows(`CREATE SEQUENCE tries_${id}`)
    await notes.rows(`GRANT USAGE ON SEQUENCE tries_${id} TO PUBLIC`)
    const failsOnce = prepared(
      (param: ParamOf<string>) => sql`
        SELECT CASE WHEN nextval(${param((name) => name)}::regclass) = 1 THEN (SELECT count(*) FROM unnest(ARRAY[1]) AS n, raise_deadlock()) END`,
    )
    await notes.rows(`
      CREATE OR REPLACE FUNCTION raise_deadlock() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END $$`)
    await db.batch(office(id), insert({ customerId: id, title: 'repeated' }), failsOnce(`tries_${id}`))
    expect(await written(id)).toEqual(['prepared: prepared', 'repeated: null'])
  })

  it('sends nothing when one of its values cannot be encoded', async () => {
    const id = randomId()
    await both(id, 'prepared')
    const before = proxy.packets()
    const circular: { self?: unknown } = {}
    circular.self = circular
    await expect(both(id, circular as unknown as string)).rejects.toThrow('circular')
    expect(proxy.packets()).toBe(before)
    expect(await written(id)).toEqual(['prepared: prepared'])
  })
})
