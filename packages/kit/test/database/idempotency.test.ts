import { createHash, randomUUID } from 'node:crypto'
import { idempotencyStore, onUnique } from '@caseway/kit/database'
import { type AppError, conflict } from '@caseway/kit/errors'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Db, employeeOf, type Notes, notesDatabase } from '../support/notes.js'

let notes: Notes
let db: Db
let store: ReturnType<typeof idempotencyStore>
beforeAll(async () => {
  notes = await notesDatabase({ lockTimeoutMs: 200 })
  db = notes.db
  store = idempotencyStore(db)
})
afterAll(() => notes.stop())

type Caller = ReturnType<typeof employeeOf>
const hashOf = (body: string) => createHash('sha256').update(body).digest('hex')
const created = (id: bigint) => ({ status: 201, headers: { location: `/rest/note/${id}` }, body: JSON.stringify({ id: String(id) }) })

/** A POST of a note, as the HTTP layer makes it: the work and its errors become one answer. */
const post =
  (caller: Caller, title: string, status = 201) =>
  async () => {
    const note = await db.write(caller, (tx) => tx.note.create({ data: { customerId: caller.customerId, title } }))
    return status === 201 ? created(note.id) : { status, headers: {}, body: `answered ${randomUUID()}` }
  }
const send = (caller: Caller, key: string, body: string, produce = post(caller, body)) =>
  store.once(caller, 'POST /rest/note', key, hashOf(body), produce)
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
    await store.once(one, 'POST /rest/other', 'same', hashOf('note'), post(one, 'note of the other route'))
    expect([await titlesOf(one), await titlesOf(other)]).toEqual([['note', 'note of the other route'], ['note']])
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
    const crashed = idempotencyStore(crashing).once(caller, 'POST /rest/note', 'key', hashOf('note'), crash)
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
      entered.resolve()
      await leave.promise
      return post(caller, 'slow')()
    })
    await entered.promise
    const inUse = { kind: 'conflict', code: 'IDEMPOTENCY_KEY_IN_USE', retryAfterSeconds: 1 }
    await expect(send(caller, 'key', 'slow')).rejects.toMatchObject(inUse)
    leave.resolve()
    expect(await send(caller, 'key', 'slow')).toEqual(await first)
  })

  it('is free again after a day', async () => {
    const caller = employeeOf(randomId())
    await send(caller, 'key', 'yesterday')
    await notes.rows("UPDATE kit.idempotency_key SET created = created - interval '25 hours' WHERE caller = $1", [
      `expert:${caller.userId}`,
    ])
    await send(caller, 'key', 'today')
    expect(await titlesOf(caller)).toEqual(['yesterday', 'today'])
  })
})
