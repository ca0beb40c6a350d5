import { isPrivateUrl, isPublicAddress } from '@caseway/kit/outbound'

const literal = /^\[(.*)\]$|^([\d.]+)$/

/**
 * Why a webhook must not be sent to a URL; undefined where it may. The addresses of its host are checked when it is connected to.
 * @param privateHosts the hosts of `OUTBOUND_PRIVATE_HOSTS`
 */
export function wrongUrl(text: string, privateHosts: readonly string[]): string | undefined {
  const url = new URL(text)
  const { protocol, username, password, hostname } = url
  if (username || password) return 'must not carry a user name or a password'
  if (isPrivateUrl(privateHosts, url)) return undefined
  if (protocol !== 'https:') return 'must begin with https://'
  const [, ipv6, ipv4] = literal.exec(hostname) ?? []
  const address = ipv6 ?? ipv4
  if (address !== undefined && !isPublicAddress(address)) return 'must not be a private address'
  return undefined
}
