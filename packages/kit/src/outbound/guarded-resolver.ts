import { isIP } from 'node:net'
import { type Resolve, resolveAll } from './guarded-connect.js'
import { OutboundError } from './outbound-error.js'
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

/** Whether a deployment has named this host, so that it may have a private address. */
export const isPrivateHost = (privateHosts: readonly string[], host: string, port: number): boolean =>
  privateHosts.includes(host) || privateHosts.includes(`${host}:${port}`)

/**
 * Resolves hosts that people have named, for protocols other than HTTP: once, so that a name that changes meanwhile leads nowhere else. All addresses of a
 * host have to be public, unless it is one of the private hosts. It rejects with the same OutboundError `refused` whatever the reason was.
 */
export const guardedResolver =
  ({ privateHosts, resolve = resolveAll }: Guard): GuardedResolver =>
  (host, port) =>
    new Promise((done, refuse) =>
      resolve(host, (error, addresses) => {
        const [first] = addresses ?? []
        const isAllowed = isPrivateHost(privateHosts, host, port) || addresses?.every(({ address }) => isPublicAddress(address))
        if (error || !first || !isAllowed) return refuse(new OutboundError('refused', error))
        done({ address: first.address, ...(isIP(host) === 0 && { servername: host }) })
      }),
    )
