import { eventually } from '@caseway/testing'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createLog } from '../observability/index.js'
import { endedSessions } from './ended-sessions.js'
import { type FollowedSessions, followEndedSessions } from './follow-ended-sessions.js'

const log = createLog({ service: 'test', level: 'silent' })
const running: FollowedSessions[] = []
afterEach(async () => {
  for (const followed of running.splice(0)) await followed.stop()
})

/** A list of ended sessions in memory, and whether it and the events can be reached. */
function follow({ away = false, answers = true } = {}) {
  const state = { away, answers, reads: 0, sessions: ['before'] }
  const source = {
    async *pages() {
      state.reads++
      if (!state.answers) throw new Error('away')
      for (const sessionId of state.sessions) yield [{ sessionId, endsAt: new Date(Date.now() + 900_000) }]
    },
    close: () => undefined,
  }
  const ended = endedSessions()
  const followed = followEndedSessions({ ended, source, log, eventsAway: () => state.away, everyMs: 5 })
  running.push(followed)
  return { state, ended, followed }
}

describe('ended sessions are followed', () => {
  it('by one read at the start, and known after it', async () => {
    const { state, ended, followed } = follow()
    expect(followed.known()).toBe(false)
    await eventually(() => expect(followed.known()).toBe(true))
    expect([ended.has('before'), state.reads]).toEqual([true, 1])
  })

  it('until the source answers', async () => {
    const { state, ended, followed } = follow({ answers: false })
    await eventually(() => expect(state.reads).toBeGreaterThan(1))
    expect(followed.known()).toBe(false)
    state.answers = true
    await eventually(() => expect(followed.known()).toBe(true))
    expect(ended.has('before')).toBe(true)
  })

  it('again and again while events are away, and once after they are back', async () => {
    const { state, ended } = follow({ away: true })
    await eventually(() => expect(state.reads).toBeGreaterThan(2))
    state.sessions.push('meanwhile')
    await eventually(() => expect(ended.has('meanwhile')).toBe(true))
    state.sessions.push('last')
    state.away = false
    await eventually(() => expect(ended.has('last')).toBe(true))
  })
})

it('a stop does not wait for a source that is away', async () => {
  const { state, followed } = follow({ answers: false })
  await eventually(() => expect(state.reads).toBeGreaterThan(0))
  await followed.stop()
  expect(followed.known()).toBe(false)
})
