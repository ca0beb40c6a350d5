import { expect, it } from '@jest/globals'
import { streamCounts } from './stream-counts.js'

it('a session has at most ten streams, a person fifty, and ended streams leave nothing behind', () => {
  const counts = streamCounts()
  const streams = Array.from({ length: 50 }, (_, i) => ({ sessionId: `s${Math.floor(i / 10)}`, person: 'employee:1' }))
  for (const stream of streams) {
    expect(counts.hasRoom(stream)).toBe(true)
    counts.add(stream)
  }
  const other = { sessionId: 's5', person: 'employee:1' }
  const colleague = { sessionId: 's6', person: 'employee:2' }
  expect([counts.hasRoom(other), counts.hasRoom({ ...colleague, sessionId: 's0' }), counts.hasRoom(colleague)]).toEqual([
    false,
    false,
    true,
  ])
  counts.remove(streams[0] as (typeof streams)[number])
  expect(counts.hasRoom(other)).toBe(true)
  for (const stream of streams.slice(1)) counts.remove(stream)
  expect(counts.size).toBe(0)
})
