import { setTimeout as pause } from 'node:timers/promises'
import pRetry from 'p-retry'
import pTimeout from 'p-timeout'
import pg from 'pg'
import { AppError } from '../../errors/index.js'
import type { Logger } from '../../observability/index.js'
import { translate } from '../errors.js'
import type { Database, Listener } from '../types.js'

const forever = { retries: Number.POSITIVE_INFINITY, minTimeout: 200, maxTimeout: 5000, randomize: true }

/** The heartbeat of a connection on which nothing may be received for hours. */
export interface Heartbeat {
  /** The pause after the answer to one heartbeat, in milliseconds. Default 5,000. */
  intervalMs?: number
  /** How long the server may take to answer, in milliseconds. Default 2,000. */
  deadlineMs?: number
}

const defaults = { intervalMs: 5_000, deadlineMs: 2_000 }

interface Listening {
  listen: Database<unknown>['listen']
  close(): Promise<void>
}

/**
 * Keeps one connection for LISTEN, which the first listener opens, and opens it again whenever it is lost or could not be opened. A connection that a router
 * or firewall has dropped looks like an idle one: a heartbeat detects it.
 */
export function createListening(connect: () => Promise<pg.Client>, log: Logger, options: Heartbeat = {}): Listening {
  const heartbeat = { ...defaults, ...options }
  const channels = new Map<string, Set<Listener>>()
  const closing = new AbortController()
  let connected: pg.Client | undefined
  let firstTry: Promise<void> | undefined
  let comingBack: Promise<void> | undefined

  const open = async () => {
    const client = await connect()
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of channels.get(channel) ?? []) listener.onPayload(payload)
    })
    try {
      closing.signal.throwIfAborted()
      // The iterator also visits channels that are added meanwhile.
      for (const channel of channels.keys()) await client.query(listenOn(channel))
    } catch (error) {
      destroy(client)
      throw error
    }
    client.once('end', onEnd)
    void watch(client, heartbeat)
    connected = client
  }

  function onEnd() {
    connected = undefined
    if (closing.signal.aborted) return
    log.warn('the connection for LISTEN was lost')
    comeBack()
  }

  function comeBack() {
    const announce = () => {
      for (const listener of [...channels.values()].flatMap((listeners) => [...listeners])) listener.onReconnect?.()
    }
    comingBack ??= pRetry(open, { ...forever, signal: closing.signal })
      .then(announce, () => undefined)
      .finally(() => {
        comingBack = undefined
      })
  }

  /** The connection, opened if necessary; undefined while the database is unavailable. */
  async function current(): Promise<pg.Client | undefined> {
    if (connected || comingBack) return connected
    firstTry ??= open()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'the connection for LISTEN could not be opened, and will be retried')
        comeBack()
      })
      .finally(() => {
        firstTry = undefined
      })
    await firstTry
    return connected
  }

  return {
    async listen(channel, listener) {
      const added = typeof listener === 'function' ? { onPayload: listener } : listener
      try {
        await (await current())?.query(listenOn(channel))
      } catch (error) {
        const translated = translate(error)
        // Otherwise the connection was lost meanwhile, and the next one listens to all channels.
        if (!(translated instanceof AppError && translated.kind === 'unavailable')) throw translated
      }
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(added))
      return { stop: async () => void listeners.delete(added) }
    },

    async close() {
      closing.abort()
      await Promise.all([firstTry, comingBack])
      const client = connected
      if (!client) return
      const { deadlineMs } = heartbeat
      await pTimeout(client.end(), { milliseconds: deadlineMs, message: false })
      destroy(client)
    },
  }
}

const listenOn = (channel: string) => `LISTEN ${pg.escapeIdentifier(channel)}`

/** Closes the socket without a Terminate message: a dead connection would not deliver it. */
const destroy = (client: pg.Client) => (client as unknown as { connection: pg.Connection }).connection.stream.destroy()

/** Sends heartbeats. When the server does not answer in time, it destroys the connection, whose 'end' opens the next one. */
async function watch(client: pg.Client, { intervalMs, deadlineMs }: Required<Heartbeat>): Promise<void> {
  const ended = new AbortController()
  client.once('end', () => ended.abort())
  try {
    for (;;) {
      await pause(intervalMs, undefined, { signal: ended.signal, ref: false })
      await client.query({ text: 'SELECT 1', query_timeout: deadlineMs } as pg.QueryConfig)
    }
  } catch {
    destroy(client)
  }
}
