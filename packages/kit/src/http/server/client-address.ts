import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * The IP address of the client that sent a request: the entry that the outermost trusted proxy has added to `X-Forwarded-For` (see `trustedProxies` of
 * `createHttpServer`); without such a proxy, or where the entry is not an IP address, the peer of the connection; `unknown` where the connection is closed.
 * IPv6 is in canonical form (RFC 5952), and mapped IPv4 (`::ffff:192.0.2.1`) is IPv4.
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const version = isIP(ip)
  if (version === 4) return ip
  const address = version === 6 ? ip : socket.remoteAddress
  return address === undefined ? 'unknown' : ipaddr.process(address).toString()
}

/**
 * The networks by which requests of a client address are limited, the smallest first. For IPv4 it is the address itself; for IPv6 its /64, because one host has
 * all addresses of it, and its /48, because one site may own all of it (RFC 6177).
 */
export function networksOf(address: string): [string, ...string[]] {
  if (isIP(address) !== 6) return [address]
  return [networkOf(address, 64), networkOf(address, 48)]
}

const networkOf = (address: string, bits: number) => `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`
