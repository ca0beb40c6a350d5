import { type ParamOf, platform, sql } from '@caseway/kit/database'
import { outbox, outboxStatement } from '@caseway/kit/events'
import { requestContext } from '@caseway/kit/observability'
import { UserEvent } from '@caseway/protos/auth/v1/events'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type Notes, notesDatabase } from '../support/notes.js'
import { userEvent, userTopic } from '../support/people.js'

let notes: Notes
beforeEach(async () => {
  notes = await notesDatabase()
})
afterEach(() => notes.stop())

const rows = () => notes.rows<{ payload: Uint8Array }>('SELECT topic, key, payload, headers, published_at FROM kit.outbox')

describe('the outbox', () => {
  it('commits an event together with its change, or neither', async () => {
    const failing = notes.db.write(platform, async (tx) => {
      await outbox(tx, userTopic, userEvent(1n))
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    await notes.db.write(platform, (tx) => outbox(tx, userTopic, userEvent(2n)))
    const kept = await rows()
    expect(kept).toMatchObject([{ topic: 'auth.user.v1', key: '7', headers: {}, published_at: null }])
    expect(kept.map(({ payload }) => UserEvent.decode(payload))).toEqual([userEvent(2n)])
  })

  it.each([0n, 1n, 127n, 128n, 16_383n, 16_384n, 2n ** 31n, 2n ** 53n - 1n])('lets PostgreSQL add the id %d to an event', async (id) => {
    const withId = outboxStatement(userTopic, (param: ParamOf<{ event: UserEvent; id: bigint }>) => {
      const rest = param(({ event }) => UserEvent.encode(event).finish())
      return sql`kit.protobuf_int64(1, ${param(({ id }) => id)}) || ${rest}::bytea`
    })
    await notes.db.batch(platform, withId({ event: userEvent(0n), id }))
    expect((await rows()).map(({ payload }) => UserEvent.decode(payload))).toEqual([{ ...userEvent(0n), id }])
  })

  it.each([0, 127, 128, 20_000])('lets PostgreSQL add a message of %d bytes to an event', async (length) => {
    const name = 'x'.repeat(length)
    const withName = outboxStatement(
      userTopic,
      (param: ParamOf<{ event: UserEvent; name: string }>) => sql`
        ${param(({ event }) => UserEvent.encode(event).finish())}::bytea || kit.protobuf_message(5, convert_to(${param(({ name }) => name)}, 'UTF8'))`,
    )
    await notes.db.batch(platform, withName({ event: userEvent(1n), name }))
    expect((await rows()).map(({ payload }) => UserEvent.decode(payload))).toEqual([userEvent(1n, { lastname: name })])
  })

  it('gives an event the trace of the request', async () => {
    const context = { requestId: 'a request', deadline: Date.now() + 1000, traceparent: '00-trace-span-01' }
    await requestContext.run(context, () => notes.db.write(platform, (tx) => outbox(tx, userTopic, userEvent(1n))))
    expect(await rows()).toMatchObject([{ headers: { traceparent: '00-trace-span-01' } }])
  })
})
