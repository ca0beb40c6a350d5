import ipaddr from 'ipaddr.js'

/** The metadata service of Azure. Those of other clouds have link-local addresses, which are refused anyway. */
const azureMetadata = ipaddr.parse('168.63.129.16').toString()

/**
 * Whether an IP address belongs to one host of the public Internet: no loopback, private, shared (RFC 6598), link-local, unique local, multicast or reserved
 * address (IANA special-purpose registries), none that embeds an IPv4 address (mapped, NAT64, 6to4, Teredo), and no metadata service.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && isAssigned(parsed) && parsed.toString() !== azureMetadata
}

/** Of IPv6, only 2000::/3 is allocated as global unicast (RFC 4291, 2.4). */
const isAssigned = (address: ipaddr.IPv4 | ipaddr.IPv6) => address.kind() === 'ipv4' || address.match(ipaddr.parseCIDR('2000::/3'))
