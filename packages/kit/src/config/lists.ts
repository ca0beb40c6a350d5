import { Resolver } from 'node:dns'
import {
  addressOf,
  beginningWith,
  type Defaulted,
  type Secrecy,
  secretExpected,
  secretOf,
  socketAddressOf,
  type Variable,
  variable,
} from './variables.js'

type Lists<T> = Defaulted<readonly T[]> & Secrecy

/** Every text between two commas as `parse` gives it, or undefined when one of them is not what it should be. */
const each =
  <T>(parse: (item: string) => T | undefined) =>
  (value: string): readonly T[] | undefined => {
    const items = value.split(',').map((item) => parse(item.trim()))
    return items.every((item) => item !== undefined) ? items : undefined
  }

/** Texts divided by commas. */
export const list = (options: Lists<string>): Variable<readonly string[]> =>
  variable(
    'a list divided by commas, without an empty place',
    each((item) => item || undefined),
    options,
  )

/** Several secrets as `secret` takes them, divided by commas. */
export const secrets = (options: Defaulted<readonly string[]>): Variable<readonly string[]> =>
  variable(
    `${secretExpected} each, divided by commas`,
    each((item) => secretOf(item)),
    { ...options, secret: true },
  )

/** Some of `values`, letter by letter, divided by commas. */
export const choices = <const T extends string>(values: readonly T[], options: Lists<T>): Variable<readonly T[]> =>
  variable(
    `some of ${values.join(', ')}, divided by commas`,
    each((item) => values.find((one) => one === item)),
    options,
  )

const webProtocols = ['http', 'https']

/** One or several addresses of HTTP, divided by commas. */
export const urls = (options: Lists<string>): Variable<readonly string[]> =>
  variable(
    `addresses that begin with ${beginningWith(webProtocols)}, divided by commas`,
    each((item) => addressOf(item, webProtocols)),
    options,
  )

const hostAndPortOf = (item: string): string | undefined => {
  const address = socketAddressOf(item)
  return address && 'port' in address ? item : undefined
}

/** TCP addresses as `host:port` (an IPv6 address in brackets), divided by commas. */
export const hostPorts = (options: Lists<string>): Variable<readonly string[]> =>
  variable('`host:port`, several divided by commas', each(hostAndPortOf), options)

function dnsServerOf(item: string): string | undefined {
  try {
    new Resolver().setServers([item])
    return item
  } catch {
    return undefined
  }
}

/** DNS servers as `dns.setServers()` of Node takes them, divided by commas: IP addresses, each with or without a port. */
export const dnsServers = (options: Lists<string>): Variable<readonly string[]> =>
  variable('IP addresses with or without a port (`192.0.2.1`, `[2001:db8::1]:53`), divided by commas', each(dnsServerOf), options)

/** As browsers send it in `Origin`. What is no origin by the URL Standard, as `capacitor://localhost`, is compared as it is written. */
function originOf(item: string): string | undefined {
  const parsed = URL.parse(item)
  if (!parsed) return undefined
  if (parsed.origin === 'null') return /^[a-z][a-z\d+.-]*:\/\/[^/?#@\s]+$/.test(item) ? item : undefined
  return parsed.href === `${parsed.origin}/` ? parsed.origin : undefined
}

/** Origins of pages (RFC 6454), divided by commas: scheme, host and port, and nothing behind them. */
export const origins = (options: Lists<string>): Variable<readonly string[]> =>
  variable('origins as `https://app.example.com`, divided by commas', each(originOf), options)
