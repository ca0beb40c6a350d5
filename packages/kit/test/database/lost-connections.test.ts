import { once } from 'node:events'
import { office } from '@caseway/kit/database'
import { eventually, randomId } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { CompiledQuery } from 'kysely'
import type { ClientConfig } from 'pg'
import { ScopedClient, type ScopedClientConfig } from '../../src/database/connections/scoped-client.js'
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

const unavailable = expect.objectContaining({ kind: 'unavailable', code: 'UNAVAILABLE', retryAfterSeconds: 1 })
const uncertain = expect.objectContaining({ kind: 'uncertain', code: 'OUTCOME_UNKNOWN', retryAfterSeconds: undefined })

/** Occupies the only open connection. @returns the function that releases it */
async function hold(two: Db): Promise<() => Promise<unknown>> {
  const id = randomId()
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const work = two.write(office(id), async (tx) => {
    await tx.note.count()
    held.resolve()
    await released.promise
  })
  await held.promise
  return () => {
    released.resolve()
    return work
  }
}

describe('a connection that is lost', () => {
  it.each([
    ['before', []],
    ['answered', ['once']],
  ] as const)('during COMMIT (%s) leaves the outcome unknown, and the work is not run again', async (when, titles) => {
    const id = randomId()
    let tries = 0
    const lost = db.write(office(id), async (tx) => {
      tries++
      await tx.note.create({ data: { customerId: id, title: 'once' } })
      proxy.cut('COMMIT', when)
    })
    await expect(lost).rejects.toEqual(uncertain)
    expect(tries).toBe(1)
    // The server may notice later than the client that the connection was lost.
    await eventually(async () => expect(await notes.titlesOf(id)).toEqual(titles))
    expect(await db.read(office(id)).note.count()).toBe(titles.length)
  })

  it.each([
    ['caught the error', () => undefined],
    [
      'threw another one',
      () => {
        throw new Error('of the work')
      },
    ],
  ])('before COMMIT was sent makes the work run again, even if it %s', async (_, caught) => {
    const id = randomId()
    let tries = 0
    await db.write(office(id), async (tx) => {
      await tx.note.create({ data: { customerId: id, title: 'once' } })
      if (++tries > 1) return
      proxy.cut('pg_sleep', 'before')
      await tx.$queryRaw`SELECT pg_sleep(0)`.catch(caught)
    })
    expect([tries, await notes.titlesOf(id)]).toEqual([2, ['once']])
  })

  it.each(['before', 'answered'] as const)('during a read (%s) makes the read be sent again', async (when) => {
    const id = randomId()
    await db.write(office(id), (tx) => tx.note.create({ data: { customerId: id, title: 'read' } }))
    proxy.cut('notes', when)
    expect(await db.read(office(id)).note.findMany({ select: { title: true } })).toEqual([{ title: 'read' }])
    proxy.cut('notes', when)
    expect(await db.query(office(id), CompiledQuery.raw('SELECT title FROM notes'))).toEqual([{ title: 'read' }])
  })
})

describe('a connection on which the server sends nothing', () => {
  it('is closed a second after the statement timeout of a waiting statement, and the next one gets another connection', async () => {
    const patient = notes.open({ max: 1, statementTimeoutMs: 100 }, proxy.url)
    const read = () => patient.query(office(randomId()), CompiledQuery.raw('SELECT title FROM notes'))
    await read()
    proxy.silence()
    await expect(read()).rejects.toEqual(unavailable)
    expect(await read()).toEqual([])
    await patient.close()
  })

  it('leaves the outcome of a waiting COMMIT unknown', async () => {
    const patient = notes.open({ max: 1, statementTimeoutMs: 100 }, proxy.url)
    const id = randomId()
    const silenced = patient.write(office(id), async (tx) => {
      await tx.note.create({ data: { customerId: id, title: 'once' } })
      proxy.silence()
    })
    await expect(silenced).rejects.toEqual(uncertain)
    await patient.close()
  })

  it('is kept where no statement waits', async () => {
    const config = { connectionString: notes.url, pipeline: true, silenceMs: 20 } as ScopedClientConfig
    const connection = new ScopedClient(config)
    await connection.connect()
    for (let answered = 0; answered < 3; answered++) {
      await once(connection.connection.stream, 'timeout')
      expect((await connection.readOnce({ text: 'SELECT 1 AS one' }, office(1n))).rows).toEqual([{ one: 1 }])
    }
    expect(connection.lost).toBeUndefined()
    await connection.end()
  })
})

describe('a connection that cannot be opened in time', () => {
  const id = randomId()
  const count = (two: Db) => two.query(office(id), CompiledQuery.raw('SELECT 1 AS one'))

  it('is replaced by one that is idle by then, and is an error where none is', async () => {
    const two = notes.open({ max: 2, connectTimeoutMs: 300 }, proxy.url)
    await count(two)
    proxy.stall()
    const release = await hold(two)
    const waiting = count(two)
    await release()
    expect(await waiting).toEqual([{ one: 1 }])

    const releaseAgain = await hold(two)
    await expect(count(two)).rejects.toEqual(unavailable)
    await releaseAgain()
    await two.close()
  })
})

describe('a server that accepts no connections', () => {
  const id = randomId()
  const one = (many: Db) => many.query(office(id), CompiledQuery.raw('SELECT 1 AS one'))

  it('gets one attempt at a time once it has refused some, and is used as soon as it accepts them', async () => {
    const many = notes.open({ max: 10 }, proxy.url)
    const refused = () => expect(one(many)).rejects.toEqual(unavailable)
    proxy.refuse(50)
    await Promise.all(Array.from({ length: 10 }, refused))
    const before = proxy.attempts()
    await Promise.all(Array.from({ length: 100 }, refused))
    // Each of the 100 calls has three tries within 200 ms, and they share their attempts.
    expect(proxy.attempts() - before).toBeLessThanOrEqual(5)
    proxy.refuse(undefined)
    await eventually(async () => expect(await one(many)).toEqual([{ one: 1 }]))
    expect(await Promise.all(Array.from({ length: 20 }, () => one(many)))).toEqual(Array(20).fill([{ one: 1 }]))
    await many.close()
  })

  it('is unavailable also when it refuses before TLS begins', async () => {
    const encrypted = notes.open({ max: 1 }, `${proxy.url}?sslmode=require`)
    proxy.refuse(0)
    await expect(one(encrypted)).rejects.toEqual(unavailable)
    await encrypted.close()
  })

  it('does not delay requests for which a connection is open', async () => {
    const many = notes.open({ max: 4 }, proxy.url)
    const release = await hold(many)
    const refused = () => expect(one(many)).rejects.toEqual(unavailable)
    proxy.refuse(500)
    await Promise.all(Array.from({ length: 3 }, refused))
    const before = proxy.attempts()
    // When this attempt has failed, it uses the open connection.
    const attempt = one(many).then(() => 'attempted')
    await eventually(() => expect(proxy.attempts()).toBe(before + 1))
    await release()
    expect(await Promise.race([one(many).then(() => 'answered'), attempt])).toBe('answered')
    await attempt
    await many.close()
  })

  it('gets no further attempt a second after the first refusal', async () => {
    const many = notes.open({ max: 10 }, proxy.url)
    proxy.refuse(1_050)
    const before = proxy.attempts()
    await expect(one(many)).rejects.toEqual(unavailable)
    expect(proxy.attempts() - before).toBe(2)
    await many.close()
  })
})

describe('work that is idle', () => {
  it.each(['and sends a statement then', 'and commits then'])('for longer than the timeout is not run again: %s', async (how) => {
    const idle = notes.open({ idleInTransactionTimeoutMs: 50 })
    const id = randomId()
    let tries = 0
    const work = idle.write(office(id), async (tx) => {
      tries++
      const [backend] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
      await eventually(async () => expect(await notes.rows('SELECT FROM pg_stat_activity WHERE pid = $1', [backend?.pid])).toEqual([]))
      if (how === 'and sends a statement then') await tx.note.count()
    })
    await expect(work).rejects.toEqual(unavailable)
    expect(tries).toBe(1)
  })
})

describe('a COMMIT that PostgreSQL answers with ROLLBACK', () => {
  it('is an error', async () => {
    const connection = new ScopedClient({ connectionString: notes.url, pipeline: true } as ClientConfig)
    await connection.connect()
    connection.begin('ReadCommitted')
    await expect(connection.send({ text: 'SELECT 1 / 0' }, office(1n))).rejects.toThrow('division by zero')
    await expect(connection.commit()).rejects.toThrow('had failed before its end')
    await connection.end()
  })
})

describe('the timeouts of a connection', () => {
  it('are set by default', async () => {
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
    const select = names.map((name) => `current_setting('${name}') AS ${name}`)
    const [settings] = await notes.db.query(office(1n), CompiledQuery.raw(`SELECT ${select}`))
    expect(settings).toEqual({ statement_timeout: '5s', lock_timeout: '2s', idle_in_transaction_session_timeout: '10s' })
  })
})
