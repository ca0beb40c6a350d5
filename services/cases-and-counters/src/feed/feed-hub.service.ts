import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Gauge, Logger } from '@caseway/kit/observability'
import { type Feed, unknownRevision } from './feed.js'
import type { FeedRepository } from './feed.repository.js'
import { deliver } from './feed-delivery.service.js'
import type { Reader } from './reader.js'

interface Channel {
  readonly readers: Set<Reader>
  /** There may be something to tell. */
  due: boolean
  working?: Promise<void>
}

export interface FeedHubOptions {
  feeds: Pick<FeedRepository, 'read' | 'listen'>
  log: Logger
  /** Shows how many readers there are. */
  open?: Pick<Gauge, 'inc' | 'dec' | 'set'>
  /** A feed is looked at once in this time, so that many changes are told together. Default 100 ms. */
  pauseMs?: number
  /** Default 15,000 ms. */
  keepAliveMs?: number
}

const afterFailureMs = 1000

/** Tells the live streams of this process what changes. A notification only wakes it; what it tells, it reads. */
export function feedHub({ feeds, log, open, pauseMs = 100, keepAliveMs = 15_000 }: FeedHubOptions) {
  const channels = new Map<Feed, Channel>()
  /** The work for a feed begins in somebody's request and serves everybody. */
  const outsideOfRequests = AsyncLocalStorage.snapshot()
  let stopped = false
  const readers = () => [...channels.values()].flatMap((channel) => [...channel.readers])
  const wake = (feed: Feed) => {
    const channel = channels.get(feed)
    if (!channel) return
    channel.due = true
    channel.working ??= outsideOfRequests(work, feed, channel)
  }

  async function work(feed: Feed, channel: Channel): Promise<void> {
    while (channel.due && channel.readers.size > 0) {
      channel.due = false
      try {
        await deliver(feeds, feed, [...channel.readers])
        await pause(pauseMs)
      } catch (err) {
        log.warn({ err, feed }, 'a live feed could not be read')
        channel.due = true
        await pause(afterFailureMs)
      }
    }
    channel.working = undefined
    if (channel.readers.size === 0) channels.delete(feed)
  }

  const wakeAll = () => {
    for (const feed of channels.keys()) wake(feed)
  }
  const keepAlive = () => {
    for (const reader of readers()) reader.keepAlive()
  }
  const timers: NodeJS.Timeout[] = []
  let listening: { stop(): Promise<void> } | undefined

  return {
    async start(): Promise<void> {
      listening = await feeds.listen(wake, wakeAll)
      timers.push(setInterval(keepAlive, keepAliveMs))
    },

    /** Where a feed is at this moment: a reader that begins there misses nothing from now on. */
    position: async (feed: Feed): Promise<bigint> => (await feeds.read(feed, unknownRevision)).revision,

    /** From now on the reader hears what changes; first of all what it missed since its position. */
    attach(reader: Reader): void {
      if (stopped) {
        reader.end()
        return
      }
      const channel = channels.get(reader.feed) ?? { readers: new Set(), due: false }
      channels.set(reader.feed, channel)
      channel.readers.add(reader)
      open?.inc()
      wake(reader.feed)
    },

    detach(reader: Reader): void {
      const channel = channels.get(reader.feed)
      if (channel?.readers.delete(reader)) open?.dec()
      if (channel?.readers.size === 0 && !channel.working) channels.delete(reader.feed)
    },

    /** The session is over, so its streams are. */
    endSession(sessionId: string): void {
      for (const reader of readers()) if (reader.sessionId === sessionId) reader.end()
    },

    async stop(): Promise<void> {
      stopped = true
      for (const timer of timers) clearInterval(timer)
      await listening?.stop()
      const working = [...channels.values()].map((channel) => channel.working)
      for (const reader of readers()) reader.end()
      for (const channel of channels.values()) channel.readers.clear()
      open?.set(0)
      await Promise.all(working)
    },
  }
}

export type FeedHub = ReturnType<typeof feedHub>
