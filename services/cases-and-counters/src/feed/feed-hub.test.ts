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
  wake(feed: Feed): void
}

/** An empty feed in memory that fails when it is told to. */
function memoryFeed(): Memory {
  const memory: Memory = {
    failing: false,
    reads: 0,
    wake: () => {},
    feeds: {
      read: async () => {
        memory.reads++
        if (memory.failing) throw new Error('away')
        return { revision: 0n, entries: [] }
      },
      listen: async (onChange) => {
        memory.wake = onChange
        return { stop: async () => {} }
      },
    },
  }
  return memory
}

function reader(): Reader & { told: (readonly LiveEvent[])[]; kept: number; ended: boolean } {
  const told: (readonly LiveEvent[])[] = []
  const counters = async (ids: readonly bigint[]) => new Map(ids.map((id) => [id, { event: 'counter', data: '{}' } as const]))
  const view = { issues: async () => new Map(), counters }
  const self = {
    ...{ feed, view, userId: 1n, sessionId: 's', position: 0n, fresh: true, told, kept: 0, ended: false },
    send: (events: readonly LiveEvent[]) => void told.push(events),
    keepAlive: () => void self.kept++,
    end: () => {
      self.ended = true
    },
  }
  return self
}

describe('the hub', () => {
  it('goes on when the feed could not be read for a while', async () => {
    const memory = memoryFeed()
    memory.failing = true
    const hub = feedHub({ feeds: memory.feeds, log })
    await hub.start()
    const one = reader()
    hub.attach(one)
    await eventually(() => expect(memory.reads).toBe(1))
    memory.failing = false
    await eventually(() => expect(one.told).toHaveLength(1))
    await hub.stop()
  })

  it('says now and then that it is still there', async () => {
    const hub = feedHub({ feeds: memoryFeed().feeds, log, keepAliveMs: 5 })
    await hub.start()
    const one = reader()
    hub.attach(one)
    await eventually(() => expect(one.kept).toBeGreaterThan(2))
    await hub.stop()
    expect(one.ended).toBe(true)
  })

  it('shows how many readers it has', async () => {
    const open = new Gauge({ name: 'open', help: 'for the test', registers: [] })
    const hub = feedHub({ feeds: memoryFeed().feeds, log, open })
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

  it('does not look at feeds that nobody reads, and ends whoever comes when it has stopped', async () => {
    const memory = memoryFeed()
    const hub = feedHub({ feeds: memory.feeds, log, pauseMs: 1 })
    await hub.start()
    memory.wake(feed)
    const one = reader()
    hub.attach(one)
    await eventually(() => expect(one.told).toHaveLength(1))
    hub.detach(one)
    memory.wake(feed)
    expect(memory.reads).toBe(1)
    await hub.stop()
    const late = reader()
    hub.attach(late)
    expect([late.ended, memory.reads]).toEqual([true, 1])
  })
})
