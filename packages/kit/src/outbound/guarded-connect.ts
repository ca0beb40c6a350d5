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
  /** `host` or `host:port`, whatever addresses they have. */
  readonly privateHosts: readonly string[]
  readonly timeoutMs: number
  readonly resolve?: Resolve | undefined
}

/** How undici connects: to the addresses that were checked, and to no host with an address that is not public, but for the private hosts. */
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

/** Resolves once, and hands over these very addresses, when all of them are allowed: a name that changes meanwhile leads nowhere else. */
export const lookupBy =
  (resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction =>
  (host, { all }, done) =>
    resolve(host, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first || !addresses.every(({ address }) => isAllowed(address))) return done(new OutboundError('refused', error), [])
      return all ? done(null, [...addresses]) : done(null, first.address, first.family)
    })
