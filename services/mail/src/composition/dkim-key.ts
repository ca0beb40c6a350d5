import type { Id } from '@caseway/kit/caller'
import { domainOf } from '../senders/office-domain.js'

/**
 * A private key with which messages of an office from a domain are signed (RFC 6376). Anybody may name an address of that domain as the sender: only what its office
 * writes is signed.
 */
export interface DkimKey {
  readonly customerId: Id
  readonly domain: string
  readonly selector: string
  /** PEM. */
  readonly privateKey: string
  /** As it stands in the DNS: base64. */
  readonly publicKey: string
}

const fileName = /^(?<customerId>\d+)\.(?<selector>[^/]+)\._domainkey\.(?<domain>[^/]+)\.pem$/

/** @returns whose key a file is, by its name; undefined when it is none */
export function keyOfFile(name: string): Omit<DkimKey, 'privateKey' | 'publicKey'> | undefined {
  const { customerId, selector, domain } = fileName.exec(name.toLowerCase())?.groups ?? {}
  if (customerId === undefined || selector === undefined || domain === undefined) return undefined
  return { customerId: BigInt(customerId), selector, domain }
}

/** The key of an office for the domain of an address. A subdomain has a key of its own, or none. */
export const keyFor = (keys: readonly DkimKey[], customerId: Id, address: string): DkimKey | undefined => {
  const domain = domainOf(address)
  return keys.find((key) => key.customerId === customerId && key.domain === domain)
}
