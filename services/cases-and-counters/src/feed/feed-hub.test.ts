import { createLog, Gauge } from '@caseway/kit/observability'
import { eventually } from '@caseway/testing'
import { describe, expect, it } from '@jest/globals'
import { type Feed, officeFeed } from './feed.js'
import { type FeedHubOptions, feedHub } from './feed-hub.service.js'
import type { LiveEvent, Reader } from './reader.js'

const log = createLog({ service: 'test', level: 'silent' })
const feed = officeFeed(1n)

interface Memory {
  readonly feeds: FeedHubOptions['feeds']
  failing: boolean
  reads: number
  looks: number
  revision: bigint
  wake(feed: Feed): void
}

/** A hub with all sessions open, unless the options say otherwise. */
const hubOf = (options: Omit<FeedHubOptions, 'log' | 'sessions'> & Partial<FeedHubOptions>) =>
  feedHub({ sessions: { known: () => true, has: () => false }, log, ...options })

/** An empty feed in memory, whose reads fail while `failing` is set. */
function memoryFeed(): Memory {
  const memory: Memory = {
    failing: false,
    reads: 0,
    looks: 0,
    revision: 0n,
    wake: () => {},
    feeds: {
      read: async () => {
        memory.reads++
        if (memory.failing) throw new Error('away')
        return { revision: memory.revision, entries: [] }
      },
      revisions: async (feeds) => {
        memory.looks++
        if (memory.failing) throw new Error('away')
        return feeds.map((feed) => ({ feed, revision: memory.revision }))
      },
      listen: async (onChange) => {
        memory.wake = onChange
        return { stop: async () => {} }
      },
    },
  }
  return memory
}

function reader(): Reader & { batches: (readonly LiveEvent[])[]; kept: number; ended: boolean } {
  const batches: (readonly LiveEvent[])[] = []
  const counters = async (ids: readonly bigint[]) => new Map(ids.map((id) => [id, { event: 'counter', data: '{}' } as const]))
  const view = { issues: async () => new Map(), counters, notifications: async () => [], mail: async () => [] }
  const self = {
    ...{ feed, view, userId: 1n, person: 'employee:1', sessionId: 's', position: 0n, fresh: true, batches, kept: 0, ended: false },
    send: (events: readonly LiveEvent[]) => void batches.push(events),
    keepAlive: () => void self.kept++,
    end: () => {
      self.ended = true
    },
  }
  return self
}

describe('the hub', () => {
  it('continues after the feed could not be read for a while', async () => {
    const memory = memoryFeed()
    memory.failing = true
    const hub = hubOf({ feeds: memory.feeds })
    await hub.start()
    const one = reader()
    hub.attach(one)
    await eventually(() => expect(memory.reads).toBe(1))
    memory.failing = false
    await eventually(() => expect(one.batches).toHaveLength(1))
    await hub.stop()
  })

  it('sends keep-alive comments', async () => {
    const hub = hubOf({ feeds: memoryFeed().feeds, keepAliveMs: 5 })
    await hub.start()
    const one = reader()
    hub.attach(one)
    await eventually(() => expect(one.kept).toBeGreaterThan(2))
    await hub.stop()
    expect(one.ended).toBe(true)
  })

  it('counts its readers in the gauge', async () => {
    const open = new Gauge({ name: 'open', help: 'for the test', registers: [] })
    const hub = hubOf({ feeds: memoryFeed().feeds, open })
    const shown = async () => (await open.get()).values[0]?.value
    await hub.start()
    const [one, other, third] = [reader(), reader(), reader()]
    for (const each of [one, other, third]) hub.attach(each)
    hub.detach(one)
    hub.detach(one)
    expect(await shown()).toBe(2)
    await hub.stop()
    hub.detach(other)
    expect(await shown()).toBe(0)
  })

  it('does not read feeds without readers, and ends new readers after it has stopped', async () => {
    const memory = memoryFeed()
    const hub = hubOf({ feeds: memory.feeds, pauseMs: 1 })
    await hub.start()
    memory.wake(feed)
    const one = reader()
    hub.attach(one)
    await eventually(() => expect(one.batches).toHaveLength(1))
    hub.detach(one)
    memory.wake(feed)
    expect(memory.reads).toBe(1)
    await hub.stop()
    const late = reader()
    hub.attach(late)
    expect([late.ended, memory.reads]).toEqual([true, 1])
  })

  it('finds new entries without a notification, also after the database was unavailable', async () => {
    const memory = memoryFeed()
    const hub = hubOf({ feeds: memory.feeds, pauseMs: 1, lookMs: 5 })
    await hub.start()
    const one = reader()
    hub.attach(one)
    await eventually(() => expect(one.batches).toHaveLength(1))
    memory.failing = true
    memory.revision = 1n
    const failed = memory.looks + 2
    await eventually(() => expect(memory.looks).toBeGreaterThan(failed))
    memory.failing = false
    await eventually(() => expect(one.position).toBe(1n))
    await hub.stop()
  })

  it('does not read an unchanged feed again', async () => {
    const memory = memoryFeed()
    const hub = hubOf({ feeds: memory.feeds, pauseMs: 1, lookMs: 5 })
    await hub.start()
    const one = reader()
    hub.attach(one)
    await eventually(() => expect(one.batches).toHaveLength(1))
    const until = memory.looks + 5
    await eventually(() => expect(memory.looks).toBeGreaterThan(until))
    expect(memory.reads).toBe(1)
    await hub.stop()
  })

  it('ends a stream after an hour', async () => {
    let now = 0
    const hub = hubOf({ feeds: memoryFeed().feeds, keepAliveMs: 5, now: () => now })
    await hub.start()
    const [one, other] = [reader(), reader()]
    hub.attach(one)
    now = 1
    hub.attach(other)
    now = 3_599_999
    const kept = one.kept
    await eventually(() => expect(one.kept).toBeGreaterThan(kept))
    expect(one.ended).toBe(false)
    now = 3_600_000
    await eventually(() => expect(one.ended).toBe(true))
    expect(other.ended).toBe(false)
    await hub.stop()
  })

  it('refuses readers whose session has ended, and all while the ended sessions are unknown', async () => {
    const gone = new Set<string>()
    let known = false
    const hub = hubOf({ feeds: memoryFeed().feeds, sessions: { known: () => known, has: (id) => gone.has(id) } })
    await hub.start()
    expect(() => hub.attach(reader())).toThrow(expect.objectContaining({ kind: 'unavailable' }))
    known = true
    gone.add('s')
    expect(() => hub.attach(reader())).toThrow(expect.objectContaining({ kind: 'unauthenticated' }))
    gone.clear()
    hub.attach(reader())
    await hub.stop()
  })
})
