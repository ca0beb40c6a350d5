import pRetry from 'p-retry'
import pg from 'pg'
import type { Logger } from '../observability/index.js'
import { translate } from './errors.js'
import type { Database, Listener } from './types.js'

const forever = { retries: Number.POSITIVE_INFINITY, minTimeout: 200, maxTimeout: 5000, randomize: true }

interface Listening {
  listen: Database<unknown>['listen']
  close(): Promise<void>
}

/** Keeps one connection for LISTEN, from the first listener on, and opens it again whenever it is lost. */
export function createListening(connect: () => Promise<pg.Client>, log: Logger): Listening {
  const channels = new Map<string, Set<Listener>>()
  const closing = new AbortController()
  let connection: Promise<pg.Client> | undefined

  const open = async () => {
    const client = await connect()
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of channels.get(channel) ?? []) listener.onPayload(payload)
    })
    for (const channel of channels.keys()) await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
    client.once('end', reopen)
    return client
  }

  function reopen() {
    if (closing.signal.aborted) return
    log.warn('the connection for LISTEN was lost')
    connection = pRetry(open, { ...forever, signal: closing.signal })
    const tell = () => {
      for (const listener of [...channels.values()].flatMap((listeners) => [...listeners])) listener.onReconnect?.()
    }
    connection.then(tell, () => undefined)
  }

  return {
    async listen(channel, listener) {
      const added = typeof listener === 'function' ? { onPayload: listener } : listener
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(added))
      try {
        connection ??= open()
        await (await connection).query(`LISTEN ${pg.escapeIdentifier(channel)}`)
      } catch (error) {
        listeners.delete(added)
        connection = undefined
        throw translate(error)
      }
      return { stop: async () => void listeners.delete(added) }
    },

    async close() {
      closing.abort()
      await connection?.then((client) => client.end()).catch(() => undefined)
    },
  }
}
