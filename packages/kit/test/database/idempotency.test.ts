import { randomUUID } from 'node:crypto'
import { idempotencyStore, onViolation } from '@caseway/kit/database'
import { type AppError, conflict } from '@caseway/kit/errors'
import type { Answer } from '@caseway/kit/idempotency'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Employee } from '../../src/caller/index.js'
import { created, type KeyedPosts, keyed, keyedPosts } from '../support/keyed-posts.js'
import { employeeOf, type Notes, notesDatabase } from '../support/notes.js'

let notes: Notes
let posts: KeyedPosts
beforeAll(async () => {
  notes = await notesDatabase()
  posts = keyedPosts(notes)
})
afterAll(() => notes.stop())

/** Repeats the request, as a client does, while the first one with the key has no answer. */
const sendUntilAnswered = (caller: Employee, title: string): Promise<Answer> =>
  posts.send(caller, title, title).catch((error: AppError) => {
    if (error.code !== 'IDEMPOTENCY_KEY_IN_USE') throw error
    return sendUntilAnswered(caller, title)
  })

describe('an idempotency key', () => {
  it('gives parallel duplicates one effect and the same answer', async () => {
    const caller = employeeOf(randomId())
    const answers = await Promise.all(Array.from({ length: 5 }, () => sendUntilAnswered(caller, 'once')))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 201 })
    expect(await notes.titlesOf(caller.customerId)).toEqual(['once'])
  })

  it('writes 1,000 rows for 1,000 requests that are each sent three times', async () => {
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
    expect(await notes.titlesOf(caller.customerId)).toHaveLength(1000)
  }, 90_000)

  it('belongs to a caller and a route', async () => {
    const [one, other] = [employeeOf(randomId()), employeeOf(randomId())]
    await posts.send(one, 'same', 'note')
    await posts.send(other, 'same', 'note')
    await posts.store.once({ ...keyed(one, 'same', 'note'), route: 'POST /rest/other' }, posts.post(one, 'note of the other route'))
    expect([await notes.titlesOf(one.customerId), await notes.titlesOf(other.customerId)]).toEqual([
      ['note', 'note of the other route'],
      ['note'],
    ])
  })

  it('belongs to the kind, the id and the office of its caller', async () => {
    const employee = employeeOf(randomId())
    const callers = [
      employee,
      { ...employee, customerId: randomId() },
      { ...employee, role: 'technical', customerId: null } as const,
      { ...employee, audience: 'client', role: 'client', customerId: null } as const,
    ]
    const answers = callers.map((caller) =>
      posts.store.once({ ...keyed(employee, 'same', 'note'), caller }, async () => ({ status: 200, headers: {}, body: randomUUID() })),
    )
    expect(new Set((await Promise.all(answers)).map(({ body }) => body)).size).toBe(4)
  })

  it('is stored as a hash only', async () => {
    const caller = employeeOf(randomId())
    const key = randomUUID()
    await posts.send(caller, key, 'secret')
    const [row] = await notes.rows<Record<string, unknown>>('SELECT * FROM kit.idempotency_key WHERE caller LIKE $1', [
      `employee:${caller.userId}@%`,
    ])
    expect(JSON.stringify(row)).not.toContain(key)
    expect(row).toMatchObject({ status: 201 })
  })

  it('with another body is a conflict', async () => {
    const caller = employeeOf(randomId())
    await posts.send(caller, 'key', 'first')
    await expect(posts.send(caller, 'key', 'second')).rejects.toMatchObject({ kind: 'conflict', code: 'IDEMPOTENCY_KEY_REUSED' })
    expect(await notes.titlesOf(caller.customerId)).toEqual(['first'])
  })

  it('stores an answer from 400 on, and rolls back the writes before it', async () => {
    const caller = employeeOf(randomId())
    const first = await posts.send(caller, 'key', 'refused', posts.post(caller, 'refused', 409))
    expect(await posts.send(caller, 'key', 'refused')).toEqual(first)
    expect(await notes.titlesOf(caller.customerId)).toEqual([])
  })

  it('stores an answer from 400 on that a failed statement has caused', async () => {
    const caller = employeeOf(randomId())
    await posts.post(caller, 'taken')()
    const taken = conflict('TITLE_TAKEN', 'There is a note of that title.')
    const produce = async () => {
      const error = await posts
        .post(caller, 'taken')()
        .catch((error) => onViolation(error, 'notes_customer_id_title_key', taken))
      return { status: error === taken ? 409 : 500, headers: {}, body: randomUUID() }
    }
    const first = await posts.send(caller, 'key', 'taken', produce)
    expect(first).toMatchObject({ status: 409 })
    expect(await posts.send(caller, 'key', 'taken', produce)).toEqual(first)
  })

  it('stores neither an answer from 500 on nor an error', async () => {
    const caller = employeeOf(randomId())
    expect(await posts.send(caller, 'key', 'note', posts.post(caller, 'note', 503))).toMatchObject({ status: 503 })
    const failing = posts.send(caller, 'key', 'note', async () => {
      await posts.post(caller, 'note')()
      throw new Error('crashed')
    })
    await expect(failing).rejects.toThrow('crashed')
    expect(await notes.titlesOf(caller.customerId)).toEqual([])
    expect(await posts.send(caller, 'key', 'note')).toMatchObject({ status: 201 })
  })

  it('is unused after a crash between the effect and the answer', async () => {
    const caller = employeeOf(randomId())
    const crashing = notes.open({ max: 1 })
    const crash = async () => {
      await crashing.write(caller, (tx) => tx.note.create({ data: { customerId: caller.customerId, title: 'note' } }))
      await notes.rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()",
      )
      return created(await crashing.write(caller, async (tx) => BigInt(await tx.note.count())))
    }
    const crashed = idempotencyStore(crashing).once(keyed(caller, 'key', 'note'), crash)
    await expect(crashed).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await notes.titlesOf(caller.customerId)).toEqual([])
    expect(await posts.send(caller, 'key', 'note')).toMatchObject({ status: 201 })
    expect(await notes.titlesOf(caller.customerId)).toEqual(['note'])
  })

  it('whose first request takes too long is a conflict with retryAfterSeconds', async () => {
    const caller = employeeOf(randomId())
    const entered = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const first = posts.send(caller, 'key', 'slow', async () => {
      const answer = await posts.post(caller, 'slow')()
      entered.resolve()
      await leave.promise
      return answer
    })
    await entered.promise
    const inUse = { kind: 'conflict', code: 'IDEMPOTENCY_KEY_IN_USE', retryAfterSeconds: 1 }
    await expect(posts.impatient.once(keyed(caller, 'key', 'slow'), posts.post(caller, 'slow'))).rejects.toMatchObject(inUse)
    leave.resolve()
    expect(await posts.send(caller, 'key', 'slow')).toEqual(await first)
  })

  it('can be used again after a day', async () => {
    const caller = employeeOf(randomId())
    await posts.send(caller, 'key', 'yesterday')
    const age = (hours: number) =>
      notes.rows("UPDATE kit.idempotency_key SET created = now() - $2 * interval '1 hour' WHERE caller LIKE $1", [
        `employee:${caller.userId}@%`,
        hours,
      ])
    await age(23)
    await expect(posts.send(caller, 'key', 'today')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
    await age(25)
    await posts.send(caller, 'key', 'today')
    expect(await notes.titlesOf(caller.customerId)).toEqual(['yesterday', 'today'])
  })
})
