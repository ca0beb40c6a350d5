import { randomUUID } from 'node:crypto'
import { idempotencyStore, office } from '@caseway/kit/database'
import { outcomeUnknown } from '@caseway/kit/errors'
import type { Answer, IdempotencyStore } from '@caseway/kit/idempotency'
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

describe('an idempotency key in mode `claimed`', () => {
  const claim = (store: IdempotencyStore, caller: Employee, produce: () => Promise<Answer>) =>
    store.once(keyed(caller, 'key', 'note', 'claimed'), produce)

  it('gives parallel duplicates one effect and the same answer', async () => {
    const caller = employeeOf(randomId())
    const answers = await Promise.all(Array.from({ length: 5 }, () => claim(posts.store, caller, posts.post(caller, 'once'))))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await notes.titlesOf(caller.customerId)).toEqual(['once'])
    await expect(posts.store.once(keyed(caller, 'key', 'another', 'claimed'), posts.post(caller, 'another'))).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    })
  })

  it('occupies no connection while the handler runs, whose writes are committed at once', async () => {
    const caller = employeeOf(randomId())
    const one = notes.open({ max: 1, connectTimeoutMs: 10_000 })
    const claiming = idempotencyStore(one)
    await claim(claiming, caller, async () => {
      await one.write(caller, (tx) => tx.note.create({ data: { customerId: caller.customerId, title: 'before the call' } }))
      expect(await notes.titlesOf(caller.customerId)).toEqual(['before the call'])
      expect(await one.read(office(randomId())).note.count()).toBe(0)
      return created(1n)
    })
  })

  it('stores an answer from 400 on, but none from 500 on and no error', async () => {
    const caller = employeeOf(randomId())
    const fail = async () => {
      throw new Error('crashed')
    }
    await expect(claim(posts.store, caller, fail)).rejects.toThrow('crashed')
    expect(await claim(posts.store, caller, async () => ({ status: 503, headers: {}, body: '' }))).toMatchObject({ status: 503 })
    const refusal = await claim(posts.store, caller, async () => ({ status: 400, headers: {}, body: randomUUID() }))
    expect(await claim(posts.store, caller, posts.post(caller, 'never'))).toEqual(refusal)
    expect(await notes.titlesOf(caller.customerId)).toEqual([])
  })

  it('is in use until its lease has expired, and then its outcome is unknown', async () => {
    const caller = employeeOf(randomId())
    const begun = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const first = claim(posts.store, caller, async () => {
      begun.resolve()
      await leave.promise
      return created(1n)
    })
    await begun.promise
    const again = () => claim(posts.impatient, caller, posts.post(caller, 'never'))
    await expect(again()).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE', retryAfterSeconds: 1 })
    await notes.rows('UPDATE kit.idempotency_key SET claimed_until = now() WHERE caller LIKE $1', [`employee:${caller.userId}@%`])
    await expect(again()).rejects.toMatchObject({ kind: 'conflict', code: 'IDEMPOTENCY_KEY_ABANDONED', retryAfterSeconds: undefined })
    leave.resolve()
    const answer = await first
    expect(await again()).toEqual(answer)
  })

  it('cannot be used again when the outcome of the handler is uncertain', async () => {
    const caller = employeeOf(randomId())
    const lost = claim(posts.store, caller, async () => {
      throw outcomeUnknown()
    })
    await expect(lost).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    await expect(claim(posts.store, caller, posts.post(caller, 'never'))).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_ABANDONED' })
  })
})
