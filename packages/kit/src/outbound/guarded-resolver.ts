import { isIP } from 'node:net'
import { lookupBy, type Resolve, resolveAll } from './guarded-connect.js'
import { isPrivateHost } from './private-host.js'
import { isPublicAddress } from './public-address.js'

/** A checked address, for a client that opens its own sockets. */
export interface GuardedAddress {
  /** A checked IP address. The client must connect to it and not resolve the name again. */
  readonly address: string
  /** The name for SNI (RFC 6066, 3), which the certificate must have. Missing where the host is an IP address. */
  readonly servername?: string
}

export type GuardedResolver = (host: string, port: number) => Promise<GuardedAddress>

interface Guard {
  /** Hosts that may have private addresses, as `host` or `host:port`. */
  readonly privateHosts: readonly string[]
  /** Default the resolver of the system. */
  readonly resolve?: Resolve | undefined
}

/**
 * Returns a function that resolves hosts which people have named, for protocols other than HTTP. All addresses of a host must be public, unless it is a private
 * host. It rejects with OutboundError `refused`, whose message does not tell why.
 */
export const guardedResolver =
  ({ privateHosts, resolve = resolveAll }: Guard): GuardedResolver =>
  (host, port) =>
    new Promise((done, refuse) => {
      const isAllowed = isPrivateHost(privateHosts, host, port) ? () => true : isPublicAddress
      lookupBy(resolve, isAllowed)(host, { all: false }, (error, address) =>
        error ? refuse(error) : done({ address: String(address), ...(isIP(host) === 0 && { servername: host }) }),
      )
    })
