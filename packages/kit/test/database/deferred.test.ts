import { randomUUID } from 'node:crypto'
import { idempotencyStore, office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import { eventually, randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { created, type KeyedPosts, keyed, keyedPosts } from '../support/keyed-posts.js'
import { type Db, employeeOf, type Notes, notesDatabase } from '../support/notes.js'
import { type PostgresProxy, postgresProxy } from '../support/postgres-proxy.js'

let notes: Notes
let posts: KeyedPosts
beforeAll(async () => {
  notes = await notesDatabase()
  posts = keyedPosts(notes)
})
const proxies: PostgresProxy[] = []
const openProxy = async () => {
  const proxy = await postgresProxy(notes.url)
  proxies.push(proxy)
  return proxy
}
afterAll(async () => {
  for (const proxy of proxies) proxy.stop()
  await notes.stop()
})

interface Note {
  readonly customerId: bigint
  readonly title: string
}
const insert = prepared(
  (param: ParamOf<Note>) =>
    sql<{
      id: bigint
    }>`INSERT INTO notes (customer_id, title) VALUES (${param((note) => note.customerId)}, ${param((note) => note.title)}) RETURNING id`,
)

/** The two ways in which a handler may write. */
const ways: readonly [string, (db: Db, note: Note) => Promise<bigint>][] = [
  ['write', (db, note) => db.write(office(note.customerId), async (tx) => (await tx.note.create({ data: note })).id)],
  ['batch', async (db, note) => (await db.batch(office(note.customerId), insert(note)))[0]?.id ?? 0n],
]

describe.each(ways)('the transaction of a request with an idempotency key, begun by %s,', (_, write) => {
  it('occupies no connections for duplicates that wait for its answer', async () => {
    const small = notes.open({ max: 2, connectTimeoutMs: 10_000, lockTimeoutMs: 20_000 })
    const patient = idempotencyStore(small, { waitMs: 20_000 })
    const caller = employeeOf(randomId())
    const begun = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const slow = async () => {
      const id = await write(small, { customerId: caller.customerId, title: 'slow' })
      begun.resolve()
      await leave.promise
      return created(id)
    }
    const first = patient.once(keyed(caller, 'key', 'slow'), slow)
    await begun.promise
    const others = Array.from({ length: 12 }, () => patient.once(keyed(caller, 'key', 'slow'), slow))
    for (const _ of Array.from({ length: 20 })) expect(await small.read(office(randomId())).note.count()).toBe(0)
    leave.resolve()
    const answer = await first
    for (const other of others) expect(await other).toEqual(answer)
  })

  it('takes no connection before the handler writes', async () => {
    const one = notes.open({ max: 1, connectTimeoutMs: 10_000 })
    const caller = employeeOf(randomId())
    const [begun, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const answer = idempotencyStore(one).once(keyed(caller, 'key', 'late'), async () => {
      begun.resolve()
      await leave.promise
      const id = await write(one, { customerId: caller.customerId, title: 'late' })
      expect(await one.read(caller).note.count()).toBe(1)
      expect(await notes.titlesOf(caller.customerId)).toEqual([])
      return created(id)
    })
    await begun.promise
    expect(await one.read(office(randomId())).note.count()).toBe(0)
    leave.resolve()
    expect(await answer).toMatchObject({ status: 201 })
    expect(await notes.titlesOf(caller.customerId)).toEqual(['late'])
  })

  it.each([
    ['before', []],
    ['answered', ['once']],
  ] as const)('is not run again when the connection is lost at COMMIT (%s)', async (when, titles) => {
    const proxy = await openProxy()
    const one = notes.open({ max: 1 }, proxy.url)
    const store = idempotencyStore(one)
    const caller = employeeOf(randomId())
    let tries = 0
    const produce = async () => {
      tries++
      const id = await write(one, { customerId: caller.customerId, title: 'once' })
      proxy.cut('COMMIT', when)
      return created(id)
    }
    await expect(store.once(keyed(caller, 'key', 'lost'), produce)).rejects.toMatchObject({ kind: 'uncertain', code: 'OUTCOME_UNKNOWN' })
    expect(tries).toBe(1)
    await eventually(async () => expect(await notes.titlesOf(caller.customerId)).toEqual(titles))
  })

  it('is two packets: the key with the write, and the answer with COMMIT', async () => {
    const proxy = await openProxy()
    const one = notes.open({ max: 1 }, proxy.url)
    const store = idempotencyStore(one)
    const caller = employeeOf(randomId())
    const post = (title: string) =>
      store.once(keyed(caller, title, title), async () => created(await write(one, { customerId: caller.customerId, title })))
    await post('first')
    const before = proxy.packets()
    await post('second')
    expect(proxy.packets() - before).toBe(2)
  })

  it('writes nothing for a key that was used before, and its connection serves other requests', async () => {
    const one = notes.open({ max: 1 })
    const store = idempotencyStore(one)
    const caller = employeeOf(randomId())
    const post = (key: string, title: string) =>
      store.once(keyed(caller, key, 'body'), async () => created(await write(one, { customerId: caller.customerId, title })))
    const answers = [await post('key', 'first'), await post('key', 'second'), await post('key', 'third')]
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(await notes.titlesOf(caller.customerId)).toEqual(['first'])
    await post('another key', 'fourth')
    expect(await notes.titlesOf(caller.customerId)).toEqual(['first', 'fourth'])
  })

  it('is rolled back when its answer cannot be stored, and its connection serves other requests', async () => {
    const one = notes.open({ max: 1 })
    const store = idempotencyStore(one)
    const caller = employeeOf(randomId())
    const post = (title: string, body: string) =>
      store.once(keyed(caller, title, title), async () => {
        await write(one, { customerId: caller.customerId, title })
        return { status: 201, headers: {}, body }
      })
    const unstorable = '\0'
    await expect(post('first', unstorable)).rejects.toMatchObject({ code: '22021' })
    await post('first', 'kept')
    await expect(post('second', unstorable)).rejects.toMatchObject({ code: '22021' })
    await post('second', 'kept')
    expect(await notes.titlesOf(caller.customerId)).toEqual(['first', 'second'])
  })

  it('keeps only the answer when its status is from 400 on', async () => {
    const caller = employeeOf(randomId())
    const produce = async () => {
      await write(notes.db, { customerId: caller.customerId, title: 'undone' })
      return { status: 409, headers: {}, body: randomUUID() }
    }
    const first = await posts.send(caller, 'key', 'undone', produce)
    expect(await posts.send(caller, 'key', 'undone', produce)).toEqual(first)
    expect(await notes.titlesOf(caller.customerId)).toEqual([])
  })
})

describe('the transaction of a request with an idempotency key', () => {
  it('rolls back all writes of a request whose answer is from 400 on', async () => {
    const caller = employeeOf(randomId())
    await posts.post(caller, 'taken')()
    const produce = async () => {
      await posts.post(caller, 'first')()
      await posts
        .post(caller, 'taken')()
        .catch(() => undefined)
      return { status: 409, headers: {}, body: randomUUID() }
    }
    const first = await posts.send(caller, 'key', 'two', produce)
    expect(await notes.titlesOf(caller.customerId)).toEqual(['taken'])
    expect(await posts.send(caller, 'key', 'two', produce)).toEqual(first)
  })

  it('answers a duplicate with the first answer, even if its handler catches the error of the used key', async () => {
    const caller = employeeOf(randomId())
    const first = await posts.send(caller, 'key', 'note')
    const swallowing = async () => {
      await posts
        .post(caller, 'note')()
        .catch(() => undefined)
      return created(1n)
    }
    const failing = async () => {
      await posts
        .post(caller, 'note')()
        .catch(() => undefined)
      throw new Error('another error')
    }
    expect(await posts.send(caller, 'key', 'note', swallowing)).toEqual(first)
    expect(await posts.send(caller, 'key', 'note', failing)).toEqual(first)
    expect(await notes.titlesOf(caller.customerId)).toEqual(['note'])
  })

  it('rejects writes that its handler begins after it has failed', async () => {
    const caller = employeeOf(randomId())
    const leave = Promise.withResolvers<void>()
    let late: Promise<unknown> | undefined
    const failing = posts.send(caller, 'key', 'note', async () => {
      late = leave.promise.then(posts.post(caller, 'late'))
      throw new Error('crashed')
    })
    await expect(failing).rejects.toThrow('crashed')
    leave.resolve()
    await expect(late).rejects.toThrow('after the end')
    expect(await notes.titlesOf(caller.customerId)).toEqual([])
  })

  it('rejects writes that its handler begins after it has answered', async () => {
    const caller = employeeOf(randomId())
    const leave = Promise.withResolvers<void>()
    let late: Promise<unknown> | undefined
    await posts.send(caller, 'key', 'note', async () => {
      late = leave.promise.then(posts.post(caller, 'late'))
      return { status: 200, headers: {}, body: '' }
    })
    leave.resolve()
    await expect(late).rejects.toThrow('after the end')
    expect(await notes.titlesOf(caller.customerId)).toEqual([])
  })
})
