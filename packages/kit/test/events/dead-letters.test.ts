import { consumer, replayDeadLetters } from '@caseway/kit/events'
import type { UserEvent } from '@caseway/protos/auth/v1/events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { consumersOf, refuse } from '../support/consumers.js'
import { log, type Notes, notesDatabase } from '../support/notes.js'
import { recordOf, userEvent, userTopic } from '../support/people.js'

let notes: Notes
const { start, letters } = consumersOf(() => notes)
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())
beforeEach(() => notes.rows('TRUNCATE kit.dead_letter'))

describe('a replay of the dead letters', () => {
  const bury = async (events: UserEvent[], name?: string) => {
    const { transport } = await start([consumer(userTopic, refuse, name)], { backOffMs: [] })
    for (const event of events) await transport.publish([recordOf(event)])
  }

  it('passes all of them to their consumer, oldest first, and keeps those that fail', async () => {
    await bury(Array.from({ length: 150 }, (_, index) => userEvent(BigInt(index + 1))))
    const received: bigint[] = []
    const cured = consumer(userTopic, async ({ id }) => {
      if (id === 10n) throw new Error('still not')
      received.push(id)
    })
    expect(await replayDeadLetters(notes.db, [cured], log)).toEqual({ handled: 149, left: 1 })
    expect(received).toEqual(Array.from({ length: 150 }, (_, index) => BigInt(index + 1)).filter((id) => id !== 10n))
    expect(await letters()).toMatchObject([{ error: 'Error: still not' }])
  })

  it('keeps those that have no consumer', async () => {
    await bury([userEvent(1n)], 'gone')
    expect(await replayDeadLetters(notes.db, [consumer(userTopic, async () => undefined)], log)).toEqual({ handled: 0, left: 1 })
    expect(await letters()).toMatchObject([{ consumer: 'gone', error: 'Error: There is no consumer gone.' }])
  })
})
