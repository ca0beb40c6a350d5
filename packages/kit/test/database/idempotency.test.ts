import { createHmac, randomUUID } from 'node:crypto'
import { idempotencyStore, office, onUnique } from '@caseway/kit/database'
import { type AppError, conflict, outcomeUnknown } from '@caseway/kit/errors'
import type { IdempotencyStore, KeyedRequest } from '@caseway/kit/idempotency'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Db, employeeOf, type Notes, notesDatabase } from '../support/notes.js'

let notes: Notes
let db: Db
let store: IdempotencyStore
/** Does not wait for the first request with a key. */
let impatient: IdempotencyStore
beforeAll(async () => {
  notes = await notesDatabase()
  db = notes.db
  store = idempotencyStore(db)
  impatient = idempotencyStore(db, { waitMs: 0 })
})
afterAll(() => notes.stop())

type Caller = ReturnType<typeof employeeOf>
const created = (id: bigint) => ({ status: 201, headers: { location: `/rest/note/${id}` }, body: JSON.stringify({ id: String(id) }) })

/** A POST of a note, as the HTTP layer makes it: the work and its errors become one answer. */
const post =
  (caller: Caller, title: string, status = 201) =>
  async () => {
    const note = await db.write(caller, (tx) => tx.note.create({ data: { customerId: caller.customerId, title } }))
    return status === 201 ? created(note.id) : { status, headers: {}, body: `answered ${randomUUID()}` }
  }
const request = (caller: Caller, key: string, body: string, mode: KeyedRequest['mode'] = 'transaction'): KeyedRequest => ({
  caller,
  route: 'POST /rest/note',
  key,
  digest: createHmac('sha256', key).update(body).digest('base64url'),
  mode,
})
const send = (caller: Caller, key: string, body: string, produce = post(caller, body)) => store.once(request(caller, key, body), produce)
/** As a client does it that is told to come back: the first request with the key may take its time. */
const sendUntilAnswered = (caller: Caller, title: string): ReturnType<typeof send> =>
  send(caller, title, title).catch((error: AppError) => {
    if (error.code !== 'IDEMPOTENCY_KEY_IN_USE') throw error
    return sendUntilAnswered(caller, title)
  })
const titlesOf = async ({ customerId }: Caller) => {
  const rows = await notes.rows<{ title: string }>('SELECT title FROM notes WHERE customer_id = $1', [customerId])
  return rows.map(({ title }) => title)
}

describe('an idempotency key', () => {
  it('makes one effect of parallel duplicates, all answered alike', async () => {
    const caller = employeeOf(randomId())
    const answers = await Promise.all(Array.from({ length: 5 }, () => sendUntilAnswered(caller, 'once')))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 201 })
    expect(await titlesOf(caller)).toEqual(['once'])
  })

  it('makes 1,000 rows of 1,000 requests that are sent three times', async () => {
    const caller = employeeOf(randomId())
    const requests = Array.from({ length: 1000 }, (_, index) => `n${index}`).flatMap((title) => [title, title, title])
    const answers = new Map<string, Set<string>>()
    const sender = async () => {
      for (let title = requests.pop(); title; title = requests.pop()) {
        const answer = JSON.stringify(await sendUntilAnswered(caller, title))
        answers.set(title, (answers.get(title) ?? new Set()).add(answer))
      }
    }
    await Promise.all(Array.from({ length: 8 }, sender))
    expect([...answers.values()].every((different) => different.size === 1)).toBe(true)
    expect(await titlesOf(caller)).toHaveLength(1000)
  })

  it('belongs to a caller and a route', async () => {
    const [one, other] = [employeeOf(randomId()), employeeOf(randomId())]
    await send(one, 'same', 'note')
    await send(other, 'same', 'note')
    await store.once({ ...request(one, 'same', 'note'), route: 'POST /rest/other' }, post(one, 'note of the other route'))
    expect([await titlesOf(one), await titlesOf(other)]).toEqual([['note', 'note of the other route'], ['note']])
  })

  it('belongs to a kind of caller, an id and an office', async () => {
    const employee = employeeOf(randomId())
    const callers = [
      employee,
      { ...employee, customerId: randomId() },
      { ...employee, role: 'technical', customerId: null } as const,
      { ...employee, audience: 'client', role: 'client', customerId: null } as const,
    ]
    const answers = callers.map((caller) =>
      store.once({ ...request(employee, 'same', 'note'), caller }, async () => ({ status: 200, headers: {}, body: randomUUID() })),
    )
    expect(new Set((await Promise.all(answers)).map(({ body }) => body)).size).toBe(4)
  })

  it('is stored as a hash, and what it was sent with by none that can be had without the key', async () => {
    const caller = employeeOf(randomId())
    const key = randomUUID()
    await send(caller, key, 'secret')
    const [row] = await notes.rows<Record<string, unknown>>('SELECT * FROM kit.idempotency_key WHERE caller LIKE $1', [
      `employee:${caller.userId}@%`,
    ])
    expect(JSON.stringify(row)).not.toContain(key)
    expect(row).toMatchObject({ status: 201 })
  })

  it('that is held leaves the pool to others', async () => {
    const small = notes.open({ max: 2, connectTimeoutMs: 1000, lockTimeoutMs: 5000 })
    const patient = idempotencyStore(small)
    const caller = employeeOf(randomId())
    const begun = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const slow = async () => {
      const note = await small.write(caller, (tx) => tx.note.create({ data: { customerId: caller.customerId, title: 'slow' } }))
      begun.resolve()
      await leave.promise
      return created(note.id)
    }
    const first = patient.once(request(caller, 'key', 'slow'), slow)
    await begun.promise
    const others = Array.from({ length: 12 }, () => patient.once(request(caller, 'key', 'slow'), slow))
    for (const _ of Array.from({ length: 20 })) expect(await small.read(office(randomId())).note.count()).toBe(0)
    leave.resolve()
    const answer = await first
    for (const other of others) expect(await other).toEqual(answer)
  })

  it('takes no connection before the handler writes', async () => {
    const one = notes.open({ max: 1, connectTimeoutMs: 1000 })
    const caller = employeeOf(randomId())
    const [begun, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const answer = idempotencyStore(one).once(request(caller, 'key', 'late'), async () => {
      begun.resolve()
      await leave.promise
      const note = await one.write(caller, (tx) => tx.note.create({ data: { customerId: caller.customerId, title: 'late' } }))
      expect(await one.read(caller).note.count()).toBe(1)
      expect(await titlesOf(caller)).toEqual([])
      return created(note.id)
    })
    await begun.promise
    expect(await one.read(office(randomId())).note.count()).toBe(0)
    leave.resolve()
    expect(await answer).toMatchObject({ status: 201 })
    expect(await titlesOf(caller)).toEqual(['late'])
  })

  it('undoes all writes of a request that is refused after one of them', async () => {
    const caller = employeeOf(randomId())
    await post(caller, 'taken')()
    const produce = async () => {
      await post(caller, 'first')()
      await post(caller, 'taken')().catch(() => undefined)
      return { status: 409, headers: {}, body: randomUUID() }
    }
    const first = await send(caller, 'key', 'two', produce)
    expect(await titlesOf(caller)).toEqual(['taken'])
    expect(await send(caller, 'key', 'two', produce)).toEqual(first)
  })

  it('is found in use by a duplicate whatever its handler makes of that', async () => {
    const caller = employeeOf(randomId())
    const first = await send(caller, 'key', 'note')
    const swallowing = async () => {
      await post(caller, 'note')().catch(() => undefined)
      return created(1n)
    }
    const failing = async () => {
      await post(caller, 'note')().catch(() => undefined)
      throw new Error('another error')
    }
    expect(await send(caller, 'key', 'note', swallowing)).toEqual(first)
    expect(await send(caller, 'key', 'note', failing)).toEqual(first)
    expect(await titlesOf(caller)).toEqual(['note'])
  })

  it('lets no write come after a failure', async () => {
    const caller = employeeOf(randomId())
    const leave = Promise.withResolvers<void>()
    let late: Promise<unknown> | undefined
    const failing = send(caller, 'key', 'note', async () => {
      late = leave.promise.then(post(caller, 'late'))
      throw new Error('crashed')
    })
    await expect(failing).rejects.toThrow('crashed')
    leave.resolve()
    await expect(late).rejects.toThrow('after the end')
    expect(await titlesOf(caller)).toEqual([])
  })

  it('lets no write come after its answer', async () => {
    const caller = employeeOf(randomId())
    const leave = Promise.withResolvers<void>()
    let late: Promise<unknown> | undefined
    await send(caller, 'key', 'note', async () => {
      late = leave.promise.then(post(caller, 'late'))
      return { status: 200, headers: {}, body: '' }
    })
    leave.resolve()
    await expect(late).rejects.toThrow('after the end')
    expect(await titlesOf(caller)).toEqual([])
  })

  it('with another body is a conflict', async () => {
    const caller = employeeOf(randomId())
    await send(caller, 'key', 'first')
    await expect(send(caller, 'key', 'second')).rejects.toMatchObject({ kind: 'conflict', code: 'IDEMPOTENCY_KEY_REUSED' })
    expect(await titlesOf(caller)).toEqual(['first'])
  })

  it('keeps a refusal, but nothing that was written before it', async () => {
    const caller = employeeOf(randomId())
    const first = await send(caller, 'key', 'refused', post(caller, 'refused', 409))
    expect(await send(caller, 'key', 'refused')).toEqual(first)
    expect(await titlesOf(caller)).toEqual([])
  })

  it('keeps a refusal that comes from the database', async () => {
    const caller = employeeOf(randomId())
    await post(caller, 'taken')()
    const taken = conflict('TITLE_TAKEN', 'There is a note of that title.')
    const produce = async () => {
      const error = await post(caller, 'taken')().catch((error) => onUnique(error, 'notes_customer_id_title_key', taken))
      return { status: error === taken ? 409 : 500, headers: {}, body: randomUUID() }
    }
    const first = await send(caller, 'key', 'taken', produce)
    expect(first).toMatchObject({ status: 409 })
    expect(await send(caller, 'key', 'taken', produce)).toEqual(first)
  })

  it('keeps no failure of the service', async () => {
    const caller = employeeOf(randomId())
    expect(await send(caller, 'key', 'note', post(caller, 'note', 503))).toMatchObject({ status: 503 })
    const failing = send(caller, 'key', 'note', async () => {
      await post(caller, 'note')()
      throw new Error('crashed')
    })
    await expect(failing).rejects.toThrow('crashed')
    expect(await titlesOf(caller)).toEqual([])
    expect(await send(caller, 'key', 'note')).toMatchObject({ status: 201 })
  })

  it('is as good as new after a crash between the effect and the answer', async () => {
    const caller = employeeOf(randomId())
    const crashing = notes.open({ max: 1 })
    const crash = async () => {
      await crashing.write(caller, (tx) => tx.note.create({ data: { customerId: caller.customerId, title: 'note' } }))
      await notes.rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()",
      )
      return created(1n)
    }
    const crashed = idempotencyStore(crashing).once(request(caller, 'key', 'note'), crash)
    await expect(crashed).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await titlesOf(caller)).toEqual([])
    expect(await send(caller, 'key', 'note')).toMatchObject({ status: 201 })
    expect(await titlesOf(caller)).toEqual(['note'])
  })

  it('that is held for too long is a conflict, to be tried again', async () => {
    const caller = employeeOf(randomId())
    const entered = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const first = send(caller, 'key', 'slow', async () => {
      const answer = await post(caller, 'slow')()
      entered.resolve()
      await leave.promise
      return answer
    })
    await entered.promise
    const inUse = { kind: 'conflict', code: 'IDEMPOTENCY_KEY_IN_USE', retryAfterSeconds: 1 }
    await expect(impatient.once(request(caller, 'key', 'slow'), post(caller, 'slow'))).rejects.toMatchObject(inUse)
    leave.resolve()
    expect(await send(caller, 'key', 'slow')).toEqual(await first)
  })

  it('is free again after a day', async () => {
    const caller = employeeOf(randomId())
    await send(caller, 'key', 'yesterday')
    const age = (hours: number) =>
      notes.rows("UPDATE kit.idempotency_key SET created = now() - $2 * interval '1 hour' WHERE caller LIKE $1", [
        `employee:${caller.userId}@%`,
        hours,
      ])
    await age(23)
    await expect(send(caller, 'key', 'today')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
    await age(25)
    await send(caller, 'key', 'today')
    expect(await titlesOf(caller)).toEqual(['yesterday', 'today'])
  })
})

describe('a key that is claimed', () => {
  const claim = (store: IdempotencyStore, caller: Caller, produce: () => ReturnType<typeof send>) =>
    store.once(request(caller, 'key', 'note', 'claimed'), produce)

  it('makes one effect of parallel duplicates, all answered alike', async () => {
    const caller = employeeOf(randomId())
    const answers = await Promise.all(Array.from({ length: 5 }, () => claim(store, caller, post(caller, 'once'))))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await titlesOf(caller)).toEqual(['once'])
    await expect(store.once(request(caller, 'key', 'another', 'claimed'), post(caller, 'another'))).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    })
  })

  it('holds no connection while the handler works, and what that writes is there at once', async () => {
    const caller = employeeOf(randomId())
    const one = notes.open({ max: 1, connectTimeoutMs: 1000 })
    const claiming = idempotencyStore(one)
    await claim(claiming, caller, async () => {
      await one.write(caller, (tx) => tx.note.create({ data: { customerId: caller.customerId, title: 'before the call' } }))
      expect(await titlesOf(caller)).toEqual(['before the call'])
      expect(await one.read(office(randomId())).note.count()).toBe(0)
      return created(1n)
    })
  })

  it('keeps a refusal, and no failure', async () => {
    const caller = employeeOf(randomId())
    const fail = async () => {
      throw new Error('crashed')
    }
    await expect(claim(store, caller, fail)).rejects.toThrow('crashed')
    expect(await claim(store, caller, async () => ({ status: 503, headers: {}, body: '' }))).toMatchObject({ status: 503 })
    const refusal = await claim(store, caller, async () => ({ status: 400, headers: {}, body: randomUUID() }))
    expect(await claim(store, caller, post(caller, 'never'))).toEqual(refusal)
    expect(await titlesOf(caller)).toEqual([])
  })

  it('says that it is in use, and when its lease has ended that nobody knows the outcome', async () => {
    const caller = employeeOf(randomId())
    const begun = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const first = claim(store, caller, async () => {
      begun.resolve()
      await leave.promise
      return created(1n)
    })
    await begun.promise
    const again = () => claim(impatient, caller, post(caller, 'never'))
    await expect(again()).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE', retryAfterSeconds: 1 })
    await notes.rows('UPDATE kit.idempotency_key SET claimed_until = now() WHERE caller LIKE $1', [`employee:${caller.userId}@%`])
    await expect(again()).rejects.toMatchObject({ kind: 'conflict', code: 'IDEMPOTENCY_KEY_ABANDONED', retryAfterSeconds: undefined })
    leave.resolve()
    const answer = await first
    expect(await again()).toEqual(answer)
  })

  it('is not free for another try when nobody knows whether the change was made', async () => {
    const caller = employeeOf(randomId())
    const lost = claim(store, caller, async () => {
      throw outcomeUnknown()
    })
    await expect(lost).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    await expect(claim(store, caller, post(caller, 'never'))).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_ABANDONED' })
  })
})
