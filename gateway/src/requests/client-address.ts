import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * Where a request comes from, as far as our own proxies vouch for it (`trustProxy`), in the shortest form; IPv4 inside of IPv6 as IPv4.
 * When they vouch for something that is no address, it is the proxy itself.
 */
export function clientAddressOf({ ip, socket }: FastifyRequest): string {
  const kind = isIP(ip)
  if (kind === 4) return ip
  const address = kind ? ip : socket.remoteAddress
  return address === undefined ? 'unknown' : ipaddr.process(address).toString()
}

/** What an address is counted as: itself, of IPv6 the /64, because one host has all addresses of it. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`
}
