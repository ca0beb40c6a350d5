import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { OutboundError } from './outbound-error.js'
import { isPrivateUrl } from './private-host.js'
import { isPublicAddress } from './public-address.js'

/** Resolves a name to all of its addresses. */
export type Resolve = (host: string, done: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void

export const resolveAll: Resolve = (host, done) => lookup(host, { all: true }, done)

interface Guard {
  /** Hosts that may have private addresses, as `host` or `host:port`. */
  readonly privateHosts: readonly string[]
  readonly timeoutMs: number
  readonly resolve?: Resolve | undefined
}

/**
 * A connector for undici that refuses hosts with an address that is not public, except private hosts, and plain HTTP. It connects to the very addresses that
 * were checked.
 */
export function guardedConnect({ privateHosts, timeoutMs, resolve = resolveAll }: Guard): buildConnector.connector {
  const common = { timeout: timeoutMs, allowH2: false }
  const anywhere = buildConnector({ ...common, lookup: lookupBy(resolve, () => true) })
  const publicOnly = buildConnector({ ...common, lookup: lookupBy(resolve, isPublicAddress) })

  return (options, callback) => {
    const { hostname, protocol } = options
    if (isPrivateUrl(privateHosts, options)) return anywhere(options, callback)
    const literal = hostname.replace(/^\[|\]$/g, '')
    const allowed = protocol === 'https:' && (isIP(literal) === 0 || isPublicAddress(literal))
    return allowed ? publicOnly(options, callback) : callback(new OutboundError('refused'), null)
  }
}

/**
 * A `lookup` for `net.connect` that resolves a name once and returns the addresses if all of them are allowed. The socket connects to these, so that DNS
 * rebinding has no effect. Otherwise it fails with OutboundError `refused`.
 */
export const lookupBy =
  (resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction =>
  (host, { all }, done) =>
    resolve(host, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first || !addresses.every(({ address }) => isAllowed(address))) return done(new OutboundError('refused', error), [])
      return all ? done(null, [...addresses]) : done(null, first.address, first.family)
    })
