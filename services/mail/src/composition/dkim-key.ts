import type { Id } from '@caseway/kit/caller'
import { domainOf } from '../senders/office-domain.js'

/**
 * The private key that signs what one office sends from one domain (RFC 6376). Other offices may claim an address of that domain as the sender: their
 * messages are not signed.
 */
export interface DkimKey {
  readonly customerId: Id
  readonly domain: string
  readonly selector: string
  /** PEM. */
  readonly privateKey: string
  /** In base64, as in its DNS record. */
  readonly publicKey: string
}

const fileName = /^(?<customerId>\d+)\.(?<selector>[^/]+)\._domainkey\.(?<domain>[^/]+)\.pem$/

/** Reads office, selector and domain from the name of a key file. @returns undefined for a name of another form */
export function keyOfFile(name: string): Omit<DkimKey, 'privateKey' | 'publicKey'> | undefined {
  const { customerId, selector, domain } = fileName.exec(name.toLowerCase())?.groups ?? {}
  if (customerId === undefined || selector === undefined || domain === undefined) return undefined
  return { customerId: BigInt(customerId), selector, domain }
}

/** The key of an office for the domain of an address. A key does not cover subdomains. */
export const keyFor = (keys: readonly DkimKey[], customerId: Id, address: string): DkimKey | undefined => {
  const domain = domainOf(address)
  return keys.find((key) => key.customerId === customerId && key.domain === domain)
}
