import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * The IP address of the client that sent a request: what the outermost trusted proxy has added to `X-Forwarded-For` (see `trustedProxies`
 * of `createHttpServer`), without one the peer of the connection. IPv6 is in its canonical form (RFC 5952), IPv4 inside of it
 * (`::ffff:192.0.2.1`) is IPv4. Where the proxy has added something that is no IP address, it is the peer; `unknown` when the peer has
 * gone.
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const version = isIP(ip)
  if (version === 4) return ip
  const address = version === 6 ? ip : socket.remoteAddress
  return address === undefined ? 'unknown' : ipaddr.process(address).toString()
}

/**
 * What limits count an address of `clientAddress` for, the smallest network first: of IPv4 the address itself; of IPv6 its /64, because
 * one host has all addresses of it, and its /48, because one site may be given all of it (RFC 6177).
 */
export function networksOf(address: string): [string, ...string[]] {
  if (isIP(address) !== 6) return [address]
  return [networkOf(address, 64), networkOf(address, 48)]
}

const networkOf = (address: string, bits: number) => `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`
