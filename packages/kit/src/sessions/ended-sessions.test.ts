import { describe, expect, it } from '@jest/globals'
import { endedSessions } from './ended-sessions.js'

describe('ended sessions', () => {
  it('are kept until their last token has expired', () => {
    let now = 1_000
    const ended = endedSessions({ now: () => now })
    ended.add('a', new Date(2_000))
    expect([ended.has('a'), ended.has('b')]).toEqual([true, false])
    now = 1_999
    expect(ended.has('a')).toBe(true)
    now = 2_000
    expect(ended.has('a')).toBe(false)
  })

  it('are kept until the latest time with which they were added', () => {
    let now = 0
    const ended = endedSessions({ now: () => now })
    for (const time of [2_000, 5_000, 3_000]) ended.add('a', new Date(time))
    now = 4_999
    expect(ended.has('a')).toBe(true)
  })

  it('take no memory after that', () => {
    let now = 0
    const ended = endedSessions({ now: () => now })
    for (let i = 0; i < 1000; i++) ended.add(`s${i}`, new Date(30_000))
    ended.add('over', new Date(-1))
    expect(ended.size).toBe(1000)
    now = 60_000
    ended.add('new', new Date(90_000))
    expect(ended.size).toBe(1)
  })
})

it('`onEnd` is called at every end, even of a session that is already forgotten', () => {
  const reported: string[] = []
  const ended = endedSessions({ onEnd: (sessionId) => reported.push(sessionId), now: () => 5_000 })
  ended.add('a', new Date(9_000))
  ended.add('a', new Date(9_000))
  ended.add('old', new Date(4_000))
  expect(reported).toEqual(['a', 'a', 'old'])
  expect(ended.has('old')).toBe(false)
})
