import ipaddr from 'ipaddr.js'

const networkOf = (address: ipaddr.IPv6, bits: number) => `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`

/** Where the request comes from as the gateway saw it; of IPv6 the network, for one host has all of its addresses. */
export function clientAddress(forwardedFor: string | readonly string[] | undefined, ip: string): string {
  const last = String(forwardedFor ?? '')
    .split(',')
    .at(-1)
    ?.trim()
  const text = last || ip
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  return address instanceof ipaddr.IPv6 ? networkOf(address, 64) : address.toString()
}

/**
 * What limits count a client address for, the narrowest first: the address itself, and of IPv6 the /48 around its /64, because one site
 * may be given all of it (RFC 6177).
 */
export function networksOf(address: string): string[] {
  const [network = '', bits] = address.split('/')
  return bits === undefined ? [address] : [address, networkOf(ipaddr.IPv6.parse(network), 48)]
}
