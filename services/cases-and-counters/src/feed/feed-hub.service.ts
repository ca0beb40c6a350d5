import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { limited, tokenInvalid, unavailable } from '@caseway/kit/errors'
import type { Gauge, Logger } from '@caseway/kit/observability'
import type { EndedSessions } from '@caseway/kit/sessions'
import { type Feed, unknownRevision } from './feed.js'
import type { FeedRepository } from './feed.repository.js'
import { deliver } from './feed-delivery.service.js'
import type { Reader } from './reader.js'
import { streamCounts } from './stream-counts.js'

interface Channel {
  /** The readers, with the time at which each was attached, in milliseconds since the epoch. */
  readonly readers: Map<Reader, number>
  /** Whether the feed has to be read. */
  due: boolean
  /** The revision up to which all readers are served. */
  revision?: bigint | undefined
  working?: Promise<void>
}

export interface FeedHubOptions {
  feeds: Pick<FeedRepository, 'read' | 'revisions' | 'listen'>
  /** The ended sessions, and whether they have been loaded. */
  sessions: Pick<EndedSessions, 'has'> & { known(): boolean }
  log: Logger
  /** Gauge of the attached readers. */
  open?: Pick<Gauge, 'inc' | 'dec' | 'set'>
  /** The pause after each read of a feed, so that changes which follow each other are sent together. Default 100 ms. */
  pauseMs?: number
  /** The interval of keep-alive comments. Default 15,000 ms. */
  keepAliveMs?: number
  /** The interval at which all feeds with readers are compared with the database, in case a notification was lost. Default 3,000 ms. */
  lookMs?: number
  /** The clock, in milliseconds since the epoch; tests replace it. */
  now?: () => number
}

/** The maximum age of a stream in milliseconds. Then it is closed, and the browser resumes. */
const maxAgeMs = 3_600_000
const fullRetryAfterSeconds = 10

const afterFailureMs = 1000

/** Sends changes to the live streams of this process. Notifications only wake it up; the data is read from the database. */
export function feedHub(options: FeedHubOptions) {
  const { feeds, sessions, log, open, pauseMs = 100, keepAliveMs = 15_000, lookMs = 3_000, now = Date.now } = options
  const channels = new Map<Feed, Channel>()
  /** The work for a feed serves all readers, so it must not run in the context of the request that woke it. */
  const outsideOfRequests = AsyncLocalStorage.snapshot()
  let stopped = false
  const counts = streamCounts()
  const readers = () => [...channels.values()].flatMap((channel) => [...channel.readers.keys()])
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
        channel.revision = await deliver(feeds, feed, [...channel.readers.keys()])
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
    for (const { readers } of channels.values()) {
      for (const [reader, since] of readers) {
        if (now() - since < maxAgeMs) reader.keepAlive()
        else reader.end()
      }
    }
  }
  /** Limits the delay by a lost notification to the interval of these checks. */
  const look = async () => {
    if (channels.size === 0) return
    for (const { feed, revision } of await feeds.revisions([...channels.keys()])) {
      if (channels.get(feed)?.revision !== revision) wake(feed)
    }
  }
  let looking: Promise<void> | undefined
  const lookAgain = () => {
    looking ??= look()
      .catch((err: unknown) => log.warn({ err }, 'the live feeds could not be compared with the database'))
      .finally(() => {
        looking = undefined
      })
  }
  const requireSession = (sessionId: string) => {
    if (!sessions.known()) throw unavailable()
    if (sessions.has(sessionId)) throw tokenInvalid()
  }
  const timers: NodeJS.Timeout[] = []
  let listening: { stop(): Promise<void> } | undefined

  return {
    async start(): Promise<void> {
      listening = await feeds.listen(wake, wakeAll)
      timers.push(setInterval(keepAlive, keepAliveMs), setInterval(lookAgain, lookMs))
    },

    /** The present revision of a feed: a reader that begins there misses no later change. */
    position: async (feed: Feed): Promise<bigint> => (await feeds.read(feed, unknownRevision)).revision,

    /** @throws AppError `unauthenticated` when the session has ended, `unavailable` while the ended sessions are not loaded */
    requireSession,

    /**
     * Attaches a reader: it gets what it missed since its position, and then all changes.
     * @throws AppError as `requireSession`, and `limit` when its session or person has too many streams on this copy
     */
    attach(reader: Reader): void {
      if (stopped) {
        reader.end()
        return
      }
      requireSession(reader.sessionId)
      if (!counts.hasRoom(reader)) throw limited(fullRetryAfterSeconds)
      const channel = channels.get(reader.feed) ?? { readers: new Map(), due: false }
      channels.set(reader.feed, channel)
      channel.readers.set(reader, now())
      counts.add(reader)
      open?.inc()
      wake(reader.feed)
    },

    detach(reader: Reader): void {
      const channel = channels.get(reader.feed)
      if (channel?.readers.delete(reader)) {
        counts.remove(reader)
        open?.dec()
      }
      if (channel?.readers.size === 0 && !channel.working) channels.delete(reader.feed)
    },

    /** Ends the streams of a session. */
    endSession(sessionId: string): void {
      for (const reader of readers()) if (reader.sessionId === sessionId) reader.end()
    },

    async stop(): Promise<void> {
      stopped = true
      for (const timer of timers) clearInterval(timer)
      await listening?.stop()
      await looking
      const working = [...channels.values()].map((channel) => channel.working)
      for (const reader of readers()) reader.end()
      for (const channel of channels.values()) channel.readers.clear()
      open?.set(0)
      await Promise.all(working)
    },
  }
}

export type FeedHub = ReturnType<typeof feedHub>
