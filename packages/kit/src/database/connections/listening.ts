import { setTimeout as pause } from 'node:timers/promises'
import pRetry from 'p-retry'
import pg from 'pg'
import type { Logger } from '../../observability/index.js'
import { translate } from '../errors.js'
import type { Database, Listener } from '../types.js'

const forever = { retries: Number.POSITIVE_INFINITY, minTimeout: 200, maxTimeout: 5000, randomize: true }

/** How the connection is watched that may say nothing for hours, in milliseconds. */
export interface Heartbeat {
  /** Between the answer to one question and the next one. Default 5,000. */
  intervalMs?: number
  /** In which the server has to answer. Default 2,000. */
  deadlineMs?: number
}

const defaults = { intervalMs: 5_000, deadlineMs: 2_000 }

interface Listening {
  listen: Database<unknown>['listen']
  close(): Promise<void>
}

/**
 * Keeps one connection for LISTEN, from the first listener on, and opens it again whenever it is lost. A connection that a router or a
 * firewall has dropped looks like one on which nothing happens: it is asked something every few seconds, and counts as lost without an
 * answer.
 */
export function createListening(connect: () => Promise<pg.Client>, log: Logger, options: Heartbeat = {}): Listening {
  const heartbeat = { ...defaults, ...options }
  const channels = new Map<string, Set<Listener>>()
  const closing = new AbortController()
  let connection: Promise<pg.Client> | undefined

  const open = async () => {
    const client = await connect()
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of channels.get(channel) ?? []) listener.onPayload(payload)
    })
    try {
      for (const channel of channels.keys()) await client.query(listenOn(channel))
    } catch (error) {
      destroy(client)
      throw error
    }
    client.once('end', reopen)
    void watch(client, heartbeat)
    return client
  }

  function reopen() {
    if (closing.signal.aborted) return
    log.warn('the connection for LISTEN was lost')
    connection = pRetry(open, { ...forever, signal: closing.signal })
    const announce = () => {
      for (const listener of [...channels.values()].flatMap((listeners) => [...listeners])) listener.onReconnect?.()
    }
    connection.then(announce, () => undefined)
  }

  /** The connection, opened by the first caller. One that could not be opened is forgotten, so that the next one tries again. */
  const opened = () => {
    if (!connection) {
      const opening = open()
      connection = opening
      opening.catch(() => {
        if (connection === opening) connection = undefined
      })
    }
    return connection
  }

  return {
    async listen(channel, listener) {
      const added = typeof listener === 'function' ? { onPayload: listener } : listener
      try {
        await (await opened()).query(listenOn(channel))
      } catch (error) {
        throw translate(error)
      }
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(added))
      return { stop: async () => void listeners.delete(added) }
    },

    async close() {
      closing.abort()
      const client = await connection?.catch(() => undefined)
      if (!client) return
      const { deadlineMs } = heartbeat
      await Promise.race([client.end(), pause(deadlineMs, undefined, { ref: false })])
      destroy(client)
    },
  }
}

const listenOn = (channel: string) => `LISTEN ${pg.escapeIdentifier(channel)}`

/** Without a goodbye, which a silent connection would not carry either. */
const destroy = (client: pg.Client) => (client as unknown as { connection: pg.Connection }).connection.stream.destroy()

/** Ends the connection, and with that begins the next one, when the server does not answer in time. */
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
