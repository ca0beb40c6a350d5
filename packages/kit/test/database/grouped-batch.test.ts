import { office, type ParamOf, type PoolSettings, platform, prepared, sql } from '@caseway/kit/database'
import { eventually, randomId } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
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
  db = notes.open({ max: 4 }, proxy.url)
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
const insert = prepared(
  (param: ParamOf<Titled>) => sql<{ id: bigint; title: string }>`
    INSERT INTO notes (customer_id, title) VALUES (${param(({ customerId }) => customerId)}, ${param(({ title }) => title)}) RETURNING id, title`,
)
const visible = prepared((_: ParamOf<null>) => sql<{ title: string }>`SELECT title FROM notes ORDER BY id`)

const write = (customerId: bigint, title: string) => db.groupedBatch(office(customerId), insert({ customerId, title }), visible(null))
const inserted = (titles: readonly string[]) => titles.map((title) => [expect.objectContaining({ title })])

/** The titles that each transaction has written, in their order. */
async function transactions(...offices: readonly bigint[]): Promise<string[][]> {
  const rows = await notes.rows<{ titles: string[] }>(
    'SELECT array_agg(title ORDER BY id) AS titles FROM notes WHERE customer_id = ANY ($1) GROUP BY xmin::text ORDER BY min(id)',
    [offices],
  )
  return rows.map(({ titles }) => titles)
}

/** Two offices, in the order of their scopes. */
const twoOffices = () => [randomId(), randomId()].sort((one, other) => (String(one) < String(other) ? -1 : 1)) as [bigint, bigint]

/** Prepares all statements, as the first batches of a connection do, so that the next ones are one message. */
const prepare = async (customerId: bigint) => {
  await write(customerId, 'prepared')
  await Promise.all([write(customerId, 'alone'), write(customerId, 'in a group')])
}

it.each(['first', 'later'])(
  'batches that arrive while one is under way share the next transaction (the %s batches of a connection)',
  async (which) => {
    if (which === 'later') await prepare(randomId())
    const [one, other] = twoOffices()
    const written = await Promise.all([write(one, 'a'), write(other, 'b'), write(one, 'c'), write(other, 'd')])
    expect(written).toEqual(inserted(['a', 'b', 'c', 'd']))
    // Within a group, the batches are sorted by office.
    expect(await transactions(one, other)).toEqual([['a'], ['c', 'b', 'd']])
  },
)

it('a transaction takes at most 50 batches', async () => {
  const customerId = randomId()
  await Promise.all(Array.from({ length: 120 }, (_, number) => write(customerId, String(number))))
  expect((await transactions(customerId)).map(({ length }) => length)).toEqual([1, 50, 50, 19])
})

it('a group is one packet with its commit, once its statements are prepared', async () => {
  const customerId = randomId()
  await prepare(customerId)
  const before = proxy.packets()
  await Promise.all(['a', 'b', 'c'].map((title) => write(customerId, title)))
  expect(proxy.packets() - before).toBe(2)
})

it('each batch of a group runs under its own scope', async () => {
  const [one, other] = [randomId(), randomId()]
  await Promise.all([write(one, 'of one'), write(other, 'of the other')])
  const read = (customerId: bigint) => db.groupedBatch(office(customerId), visible(null))
  const answers = await Promise.all([read(one), read(one), read(other), read(one)])
  expect(answers).toEqual(['of one', 'of one', 'of the other', 'of one'].map((title) => [{ title }]))
})

it('a batch that PostgreSQL rejects is rejected alone, and nothing of it is written', async () => {
  const [one, other] = [randomId(), randomId()]
  await write(one, 'taken')
  const smuggled = db.groupedBatch(
    office(other),
    insert({ customerId: other, title: 'half' }),
    insert({ customerId: one, title: 'smuggled' }),
  )
  const outcomes = await Promise.allSettled([write(one, 'a'), write(one, 'b'), write(one, 'taken'), smuggled, write(other, 'c')])
  expect(outcomes).toMatchObject([
    { status: 'fulfilled' },
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: '23505' } },
    { status: 'rejected', reason: { code: '42501' } },
    { status: 'fulfilled' },
  ])
  expect((await transactions(one, other)).flat().sort()).toEqual(['a', 'b', 'c', 'taken'])
})

it('a batch that waits for a lock does not delay those of other offices', async () => {
  const [one, other] = [randomId(), randomId()]
  db = notes.open({ max: 4, lockTimeoutMs: 60_000, statementTimeoutMs: 60_000 })
  await prepare(one)
  const held = await holdTransaction(notes, 'INSERT INTO notes (customer_id, title) VALUES ($1, $2)', [one, 'held'])
  const first = write(other, 'first')
  const waiting = write(one, 'held')
  await Promise.all([first, write(other, 'in its group'), write(other, 'also')])
  await untilWaiting(notes, 1)
  await write(other, 'after it')
  await held.rollback()
  await expect(waiting).resolves.toEqual(inserted(['held'])[0])
}, 10_000)

/** An office with three batches that wait for a lock, which `held` holds. */
async function lockedOffice(pool: PoolSettings) {
  db = notes.open({ max: 2, ...pool }, proxy.url)
  const customerId = randomId()
  await prepare(customerId)
  const titles = ['one', 'two', 'three']
  const held = await holdTransaction(notes, 'INSERT INTO notes (customer_id, title) SELECT $1, unnest($2::text[])', [customerId, titles])
  const waiting = Promise.allSettled(titles.map((title) => write(customerId, title)))
  const other = randomId()
  await write(other, 'after the groups')
  await untilWaiting(notes, 1)
  return { customerId, held, waiting, other }
}

it('an office whose rows are locked occupies one connection, and no further group waits for it', async () => {
  const { customerId, held, waiting, other } = await lockedOffice({ lockTimeoutMs: 60_000, statementTimeoutMs: 60_000 })
  const before = proxy.packets()
  const later = write(customerId, 'later')
  await write(other, 'at once')
  expect(proxy.packets() - before).toBe(1)
  await held.rollback()
  await expect(later).resolves.toEqual(inserted(['later'])[0])
  expect((await waiting).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  expect((await transactions(customerId)).slice(3)).toEqual([['one'], ['two', 'three', 'later']])
  // Afterwards the office shares groups again.
  await Promise.all([write(other, 'first'), write(customerId, 'shared'), write(other, 'shared too')])
  expect((await transactions(customerId, other)).map((titles) => titles.sort())).toContainEqual(['shared', 'shared too'])
}, 10_000)

it('all batches that wait for a lock are rejected when it is not released in time', async () => {
  const { held, waiting } = await lockedOffice({ lockTimeoutMs: 500 })
  const refused = { status: 'rejected', reason: { kind: 'unavailable' } }
  expect(await waiting).toMatchObject([refused, refused, refused])
  await held.rollback()
})

it.each([
  ['before', []],
  ['answered', ['cut', 'with it']],
] as const)(
  'after the loss of its connection (%s) the outcome of each batch of a group is unknown, and none is sent again',
  async (when, titles) => {
    const customerId = randomId()
    await prepare(customerId)
    proxy.cut('with it', when)
    const outcomes = await Promise.allSettled(['alone too', 'cut', 'with it'].map((title) => write(customerId, title)))
    const unknown = { status: 'rejected', reason: { kind: 'uncertain', code: 'OUTCOME_UNKNOWN' } }
    expect(outcomes).toMatchObject([{ status: 'fulfilled' }, unknown, unknown])
    await eventually(async () => expect((await notes.titlesOf(customerId)).slice(3)).toEqual(['alone too', ...titles]))
  },
)

it('a batch that waits behind one to which the server does not answer is rejected after the connection timeout, and never written', async () => {
  const customerId = randomId()
  db = notes.open({ max: 2, connectTimeoutMs: 1500, statementTimeoutMs: 4000 }, proxy.url)
  await prepare(customerId)
  proxy.silence()
  const outcomes = await Promise.allSettled([write(customerId, 'silent'), write(customerId, 'behind it')])
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.kind)).toEqual(['uncertain', 'unavailable'])
  await write(customerId, 'after it')
  expect((await notes.titlesOf(customerId)).slice(3)).not.toContain('behind it')
})

it('notifications are sent after the commit, and not for a batch that failed', async () => {
  const customerId = randomId()
  const received: string[] = []
  await notes.db.listen(`group_${customerId}`, (payload) => received.push(payload))
  const notifying = (title: string, payload: string) =>
    db.groupedBatch(office(customerId), { ...insert({ customerId, title }), notifies: [{ channel: `group_${customerId}`, payload }] })
  await Promise.allSettled([notifying('a', 'first'), notifying('b', 'second'), notifying('b', 'failed'), notifying('c', 'third')])
  db.notify(`group_${customerId}`, 'last')
  await eventually(() => expect(received).toContain('last'))
  expect(received.sort()).toEqual(['first', 'last', 'second', 'third'])
})

it('a batch inside of a write is part of its transaction', async () => {
  const customerId = randomId()
  const undone = db.write(platform, async () => {
    await write(customerId, 'undone')
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await transactions(customerId)).toEqual([])
})
