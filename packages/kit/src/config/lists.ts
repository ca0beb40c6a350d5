import { Resolver } from 'node:dns'
import { isIP } from 'node:net'
import {
  addressOf,
  beginningWith,
  type Defaulted,
  hostOf,
  type Secrecy,
  secretExpected,
  secretOf,
  socketAddressOf,
  type Variable,
  variable,
} from './variables.js'

type Lists<T> = Defaulted<readonly T[]> & Secrecy

/** Parses each item of a comma-separated list by `parse`; undefined where one of them is invalid. */
const each =
  <T>(parse: (item: string) => T | undefined) =>
  (value: string): readonly T[] | undefined => {
    const items = value.split(',').map((item) => parse(item.trim()))
    return items.every((item) => item !== undefined) ? items : undefined
  }

/** A comma-separated list of non-empty texts. */
export const list = (options: Lists<string>): Variable<readonly string[]> =>
  variable(
    'a list separated by commas, without empty entries',
    each((item) => item || undefined),
    options,
  )

/** A comma-separated list of secrets, each as in `secret`. */
export const secrets = (options: Defaulted<readonly string[]>): Variable<readonly string[]> =>
  variable(
    `${secretExpected} each, separated by commas`,
    each((item) => secretOf(item)),
    { ...options, secret: true },
  )

/** A comma-separated list of some of `values`; case matters. */
export const choices = <const T extends string>(values: readonly T[], options: Lists<T>): Variable<readonly T[]> =>
  variable(
    `some of ${values.join(', ')}, separated by commas`,
    each((item) => values.find((one) => one === item)),
    options,
  )

const webProtocols = ['http', 'https']

/** A comma-separated list of HTTP URLs, returned without a slash at the end. */
export const urls = (options: Lists<string>): Variable<readonly string[]> =>
  variable(
    `addresses that begin with ${beginningWith(webProtocols)}, separated by commas`,
    each((item) => addressOf(item, webProtocols)),
    options,
  )

const hostAndPortOf = (item: string): string | undefined => {
  const address = socketAddressOf(item)
  return address && 'port' in address ? item : undefined
}

/** A comma-separated list of TCP addresses as `host:port`, IPv6 addresses in brackets. */
export const hostPorts = (options: Lists<string>): Variable<readonly string[]> =>
  variable('`host:port`, several separated by commas', each(hostAndPortOf), options)

const hostWithPortOf = (item: string): string | undefined =>
  isIP(item) > 0 || hostAndPortOf(item) || hostAndPortOf(`${item}:1`) ? item : undefined

/** A comma-separated list of hosts, each with or without a port: `host`, `host:port`, IPv6 addresses with a port in brackets. */
export const hosts = (options: Lists<string>): Variable<readonly string[]> =>
  variable('`host` or `host:port`, several separated by commas', each(hostWithPortOf), options)

/** A comma-separated list of hosts without ports. */
export const hostNames = (options: Lists<string>): Variable<readonly string[]> =>
  variable('host names or IP addresses, separated by commas', each(hostOf), options)

function dnsServerOf(item: string): string | undefined {
  try {
    new Resolver().setServers([item])
    return item
  } catch {
    return undefined
  }
}

/** A comma-separated list of DNS servers, as Node's `dns.setServers()` takes them: IP addresses, with or without a port. */
export const dnsServers = (options: Lists<string>): Variable<readonly string[]> =>
  variable('IP addresses with or without a port (`192.0.2.1`, `[2001:db8::1]:53`), separated by commas', each(dnsServerOf), options)

/**
 * The origin as browsers send it in `Origin`. One with a scheme that the URL Standard does not know, such as `capacitor://localhost`, stays as it is written.
 */
function originOf(item: string): string | undefined {
  const parsed = URL.parse(item)
  if (!parsed) return undefined
  if (parsed.origin === 'null') return /^[a-z][a-z\d+.-]*:\/\/[^/?#@\s]+$/.test(item) ? item : undefined
  return parsed.href === `${parsed.origin}/` ? parsed.origin : undefined
}

/** A comma-separated list of web origins (RFC 6454): scheme, host and port, without a path. */
export const origins = (options: Lists<string>): Variable<readonly string[]> =>
  variable('origins as `https://app.example.com`, separated by commas', each(originOf), options)
