import { freeWritten } from '@caseway/kit/buffers'
import { buildConnector, Pool } from 'undici'
import { type LookupAll, rotatingLookup } from './lookup.js'

/** One of the processes that answer for a service. */
export interface Copy {
  readonly url: URL
  readonly pool: Pool
  /** A connection of its own for `/readyz`, which must not wait behind requests. */
  readonly probe: Pool
  /** Whether it wanted requests when it was asked last. */
  ready: boolean
}

export interface Copies {
  /** The next one in the round of those that want requests, and were not tried yet; of all, when none wants any. */
  next(tried: ReadonlySet<Copy>): Copy | undefined
  close(): Promise<void>
}

/**
 * How long an address of a name has for a connection before the next one is tried. It includes the time in which this process is busy: with
 * Node's default of 250 ms, a copy that listens was passed over for one that does not yet.
 */
const addressMs = 1_000
const askEveryMs = 250
const answerMs = 1_000

/** The copies of a service at `urls`. One alone is not asked whether it wants requests: whatever balances the load behind it knows. */
export function createCopies(urls: readonly string[], options: Pool.Options, lookupAll?: LookupAll): Copies {
  const copies = urls.map((url): Copy => {
    const probe = new Pool(url, { ...options, connections: 1, connect: { ...options.connect, timeout: answerMs } })
    // Each has a round of its own: one that all share could give a name the same address every time.
    const connect = { ...options.connect, lookup: rotatingLookup(lookupAll), autoSelectFamilyAttemptTimeout: addressMs }
    const pool = new Pool(url, { ...options, connect: freeing(buildConnector(connect)) })
    return { url: new URL(url), pool, probe, ready: true }
  })
  const timer = copies.length > 1 ? setInterval(() => void Promise.all(copies.map(ask)), askEveryMs).unref() : undefined
  let round = 0
  return {
    next(tried) {
      const left = copies.filter((copy) => !tried.has(copy))
      const ready = left.filter((copy) => copy.ready)
      const among = ready.length > 0 ? ready : left
      return among[round++ % among.length]
    },
    async close() {
      clearInterval(timer)
      await Promise.all(copies.flatMap(({ pool, probe }) => [pool.destroy(), probe.destroy()]))
    },
  }
}

/** Frees what was written to a service: nobody reads it again. */
const freeing =
  (connect: buildConnector.connector): buildConnector.connector =>
  (target, done) =>
    connect(target, (...result) => {
      const [, socket] = result
      if (socket) freeWritten(socket)
      done(...result)
    })

async function ask(copy: Copy): Promise<void> {
  try {
    const { statusCode, body } = await copy.probe.request({ path: '/readyz', method: 'GET', signal: AbortSignal.timeout(answerMs) })
    await body.dump()
    copy.ready = statusCode === 200
  } catch {
    copy.ready = false
  }
}
