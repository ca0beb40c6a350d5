import { freeWritten } from '@caseway/kit/buffers'
import { buildConnector, Pool } from 'undici'
import { type LookupAll, rotatingLookup } from './lookup.js'

/** One of the processes of a service. */
export interface Copy {
  readonly url: URL
  readonly pool: Pool
  /** A separate connection for `/readyz`, so that it does not queue behind requests. */
  readonly probe: Pool
  /** Whether the last answer of `/readyz` was ready. */
  ready: boolean
}

export interface Copies {
  /** The next copy, round robin, among the ready ones that are not in `tried`; among all that are not in `tried` if none of them is ready. */
  next(tried: ReadonlySet<Copy>): Copy | undefined
  close(): Promise<void>
}

/**
 * Time for connecting to one address of a name before the next one is tried. It includes time in which this process is busy: with Node's default of
 * 250 ms, a copy that was listening was skipped in favour of one that was not yet.
 */
const addressTimeoutMs = 1_000
const probeIntervalMs = 250
const probeTimeoutMs = 1_000

/** The copies of a service, one for each of `urls`. A single URL is not probed for readiness, because a load balancer behind it does that. */
export function createCopies(urls: readonly string[], options: Pool.Options, lookupAll?: LookupAll): Copies {
  const copies = urls.map((url): Copy => {
    const probe = new Pool(url, { ...options, connections: 1, connect: { ...options.connect, timeout: probeTimeoutMs } })
    // Each copy has a rotation of its own: with a shared one, a name could get the same address every time.
    const connect = { ...options.connect, lookup: rotatingLookup(lookupAll), autoSelectFamilyAttemptTimeout: addressTimeoutMs }
    const pool = new Pool(url, { ...options, connect: freeing(buildConnector(connect)) })
    return { url: new URL(url), pool, probe, ready: true }
  })
  const timer = copies.length > 1 ? setInterval(() => void Promise.all(copies.map(probeReadiness)), probeIntervalMs).unref() : undefined
  let round = 0
  return {
    next(tried) {
      const untried = copies.filter((copy) => !tried.has(copy))
      const ready = untried.filter((copy) => copy.ready)
      const candidates = ready.length > 0 ? ready : untried
      return candidates[round++ % candidates.length]
    },
    async close() {
      clearInterval(timer)
      await Promise.all(copies.flatMap(({ pool, probe }) => [pool.destroy(), probe.destroy()]))
    },
  }
}

/** Frees the buffers of bodies after they were written to a service, because nothing reads them again. */
const freeing =
  (connect: buildConnector.connector): buildConnector.connector =>
  (target, done) =>
    connect(target, (...result) => {
      const [, socket] = result
      if (socket) freeWritten(socket)
      done(...result)
    })

async function probeReadiness(copy: Copy): Promise<void> {
  try {
    const { statusCode, body } = await copy.probe.request({ path: '/readyz', method: 'GET', signal: AbortSignal.timeout(probeTimeoutMs) })
    await body.dump()
    copy.ready = statusCode === 200
  } catch {
    copy.ready = false
  }
}
