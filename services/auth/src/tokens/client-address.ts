import ipaddr from 'ipaddr.js'

/** Where the request comes from as the gateway saw it; of IPv6 the network, for one host has all of its addresses. */
export function clientAddress(forwardedFor: string | readonly string[] | undefined, ip: string): string {
  const last = String(forwardedFor ?? '')
    .split(',')
    .at(-1)
    ?.trim()
  const text = last || ip
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  return address instanceof ipaddr.IPv6 ? `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64` : address.toString()
}
