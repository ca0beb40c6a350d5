import { domainToASCII } from 'node:url'
import { addressKey } from './sender.js'

/** Whether a domain is that of a public mail provider. */
export type IsPublic = (domain: string) => boolean

/** The domain of an address in ASCII (RFC 5891); empty where it has none. */
export const domainOf = (address: string): string => domainToASCII(/@([^@\s]+)$/.exec(addressKey(address))?.[1] ?? '')

/** A domain and those above it. */
const withParents = (domain: string): string[] => {
  const labels = domain.split('.')
  return labels.map((_, from) => labels.slice(from).join('.'))
}

/** The domain of an office's own address; empty where that is at a public mail provider. */
export const officeDomain = (address: string, isPublic: IsPublic): string => {
  const domain = domainOf(address)
  return withParents(domain).some(isPublic) ? '' : domain
}
