import { isIP } from 'node:net'
import { lookupBy, type Resolve, resolveAll } from './guarded-connect.js'
import { isPrivateHost } from './private-host.js'
import { isPublicAddress } from './public-address.js'

/** Where to connect to, for a client that opens its sockets by itself. */
export interface GuardedAddress {
  /** An IP address that was checked: to be connected to as it is. */
  readonly address: string
  /** The name that the certificate has to be of (RFC 6066, 3). Missing where the host was written as an IP address. */
  readonly servername?: string
}

export type GuardedResolver = (host: string, port: number) => Promise<GuardedAddress>

interface Guard {
  /** `host` or `host:port`, whatever addresses they have. */
  readonly privateHosts: readonly string[]
  /** Resolves names: by the system, unless said otherwise. */
  readonly resolve?: Resolve | undefined
}

/**
 * Resolves hosts that people have named, for protocols other than HTTP: once, so that a name that changes meanwhile leads nowhere else. All addresses of a
 * host have to be public, unless it is one of the private hosts. It rejects with the same OutboundError `refused` whatever the reason was.
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
