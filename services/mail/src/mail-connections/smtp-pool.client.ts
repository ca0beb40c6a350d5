import { isDeepStrictEqual } from 'node:util'
import type { Id } from '@caseway/kit/caller'
import { Pool } from 'tarn'
import { MailConnectionError } from './mail-connection-error.js'
import type { OpenSmtp } from './smtp-session.client.js'
import type { SmtpMailbox, SmtpPool, SmtpSession } from './smtp-session.js'

export interface SmtpPoolOptions {
  /** The maximum number of connections of one mailbox. */
  readonly max: number
  /** How long an unused connection is kept, in milliseconds. */
  readonly idleMs: number
}

export type PooledMailbox = SmtpMailbox & { readonly id: Id }

/** tarn's timeouts are off: waiting for a connection is waiting for another message of the mailbox, which has timeouts of its own. */
const endlessMs = 2 ** 31 - 1

/** Pools connections with tarn, in a pool for each mailbox, so that a slow server delays no other mailbox. */
export function smtpPool(open: OpenSmtp, { max, idleMs }: SmtpPoolOptions): SmtpPool {
  const pools = new Map<Id, { readonly of: PooledMailbox; readonly pool: Pool<SmtpSession> }>()

  const begin = (mailbox: PooledMailbox) => {
    const pool = new Pool<SmtpSession>({
      create: () => open(mailbox),
      // tarn 3.0 accepts a promise, although its types do not.
      validate: (session) => session.isReady() as unknown as boolean,
      destroy: (session) => session.close(),
      ...{ min: 0, max, idleTimeoutMillis: idleMs, reapIntervalMillis: Math.min(1000, idleMs), propagateCreateError: true },
      ...{ acquireTimeoutMillis: endlessMs, createTimeoutMillis: endlessMs },
    })
    pool.on('stopReaping', () => forget(mailbox.id, pool))
    return pool
  }

  const forget = (id: Id, pool: Pool<SmtpSession>) => {
    if (pools.get(id)?.pool === pool && pool.isEmpty()) pools.delete(id)
  }

  /** A mailbox whose access has changed gets a new pool; connections in use are closed after their message. */
  const poolOf = (mailbox: PooledMailbox) => {
    const of = connected(mailbox)
    const had = pools.get(mailbox.id)
    if (had && isDeepStrictEqual(had.of, of)) return had.pool
    void had?.pool.destroy()
    const pool = begin(of)
    pools.set(mailbox.id, { of, pool })
    return pool
  }

  return {
    async use(mailbox, work) {
      const pool = poolOf(mailbox)
      const session = await pool.acquire().promise.catch((error: unknown) => {
        forget(mailbox.id, pool)
        throw error instanceof MailConnectionError ? error : new MailConnectionError('connect')
      })
      try {
        return await work(session)
      } finally {
        pool.release(session)
      }
    },

    async close() {
      const all = [...pools.values()]
      pools.clear()
      await Promise.all(all.map(({ pool }) => pool.destroy()))
    },
  }
}

/** The fields of a mailbox that a connection depends on. */
const connected = ({ id, userLogin, userEmail, credentials, ...server }: PooledMailbox): PooledMailbox => ({
  ...{ id, userLogin, userEmail, credentials, serverProtocol: server.serverProtocol, serverAddress: server.serverAddress },
  ...{ serverPort: server.serverPort, serverEncryption: server.serverEncryption },
})
