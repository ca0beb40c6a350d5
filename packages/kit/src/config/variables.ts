import { isIP } from 'node:net'

/** A kind of environment variable: its parser, and its documentation. */
export interface Variable<T> {
  /** The value of `text`; undefined where it is invalid. */
  readonly parse: (text: string) => T | undefined
  /** Ends the sentence "X must be …". */
  readonly expected: string
  readonly help: string
  readonly default?: T | undefined
  readonly optional: boolean
  /** Neither its value nor its default is ever shown. */
  readonly secret: boolean
  /** Has no prefix: every service reads the same variable. */
  readonly shared: boolean
}

/** A variable of a configuration. */
export interface DeclaredVariable {
  /** The full name in the environment, with the prefix of the service unless it is shared. */
  readonly name: string
  readonly variable: Variable<unknown>
}

interface Common {
  /** What it means, with its unit. */
  help: string
  shared?: boolean
}
export interface Defaulted<T> extends Common {
  default?: T
}
export interface Optional extends Common {
  optional: true
}
interface Bounds {
  min?: number
  max?: number
}
export interface Secrecy {
  secret?: boolean
}

type Options<T> = Common & Secrecy & { default?: T; optional?: boolean }

/** @param expected ends the sentence "X must be …" @param parse returns undefined for an invalid text */
export const variable = <T>(expected: string, parse: Variable<T>['parse'], options: Options<T>): Variable<T> => ({
  parse,
  expected,
  help: options.help,
  default: options.default,
  optional: options.optional ?? false,
  secret: options.secret ?? false,
  shared: options.shared ?? false,
})

/** Any text that is not empty. */
export function text(options: Defaulted<string> & Secrecy): Variable<string>
export function text(options: Optional & Secrecy): Variable<string | undefined>
export function text(options: Options<string>): Variable<string | undefined> {
  return variable('a text', (value) => value, options)
}

/** Ends the sentence "X must be …" for a secret. */
export const secretExpected = '32 random bytes in base64'

/** Returns `value` itself, in base64; undefined where it decodes to fewer than 32 bytes. */
export const secretOf = (value: string): string | undefined => (Buffer.from(value, 'base64').length >= 32 ? value : undefined)

/** A secret of at least 32 bytes in base64, which is never shown. */
export const secret = (options: Common): Variable<string> => variable(secretExpected, secretOf, { ...options, secret: true })

/** The greatest time of a timer of Node.js, which fires at once with a greater one, and of the settings of PostgreSQL. */
const greatestInteger = 2_147_483_647

/** A whole number within its bounds, in decimal digits. @param options.max default 2³¹ − 1 */
export function integer(options: Defaulted<number> & Bounds): Variable<number> {
  const { min = Number.MIN_SAFE_INTEGER, max = greatestInteger } = options
  const parse = (value: string) => {
    const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN
    return number >= min && number <= max ? number : undefined
  }
  return variable(`a whole number ${options.min === undefined ? `of at most ${max}` : `from ${min} to ${max}`}`, parse, options)
}

/** A ratio: a decimal number from 0 to 1. */
export function ratio(options: Defaulted<number>): Variable<number> {
  const parse = (value: string) => (/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(value) ? Number(value) : undefined)
  return variable('a number from 0 to 1', parse, options)
}

/** A name that ends in a number is none: the URL Standard reads it as an IPv4 address. */
const isHostName = (value: string) => /^\w[\w.-]*$/.test(value) && URL.parse(`http://${value}`)?.hostname === value.toLowerCase()

export const hostOf = (value: string): string | undefined => (isIP(value) > 0 || isHostName(value) ? value : undefined)

/** A host without a port. */
export const host = (options: Defaulted<string>): Variable<string> => variable('a host name or an IP address', hostOf, options)

/** A TCP port. With 0 the system picks a free one. */
export const port = (options: Defaulted<number>): Variable<number> => integer({ min: 0, max: 65_535, ...options })

const flags = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** A boolean, written as `true` or `1`, `false` or `0`. */
export const flag = (options: Defaulted<boolean>): Variable<boolean> => variable('true or false', (value) => flags.get(value), options)

/** `value` without slashes at its end; undefined where it is not an absolute URL with one of `protocols`. */
export const addressOf = (value: string, protocols: readonly string[]): string | undefined => {
  const parsed = URL.parse(value)
  return parsed && protocols.includes(parsed.protocol.slice(0, -1)) ? value.replace(/^([^?]*[^/?])\/+$/, '$1') : undefined
}

export const beginningWith = (protocols: readonly string[]) => protocols.map((protocol) => `${protocol}://`).join(' or ')

interface Protocols {
  protocols?: string[]
}

/** An absolute URL with one of `protocols` (default http and https), returned without slashes at its end. */
export function url(options: Defaulted<string> & Secrecy & Protocols): Variable<string>
export function url(options: Optional & Secrecy & Protocols): Variable<string | undefined>
export function url(options: Options<string> & Protocols): Variable<string | undefined> {
  const { protocols = ['http', 'https'] } = options
  return variable(`an address that begins with ${beginningWith(protocols)}`, (value) => addressOf(value, protocols), options)
}

/** A target as gRPC resolves it (gRPC, "Name Resolution"), such as `dns:///auth:50051` or `host:port`. HTTP URLs are refused. */
export function grpcTarget(options: Defaulted<string>): Variable<string>
export function grpcTarget(options: Optional): Variable<string | undefined>
export function grpcTarget(options: Options<string>): Variable<string | undefined> {
  return variable(
    'a gRPC target, as `dns:///host:port` or `host:port`',
    (value) => (/^https?:\/\//i.test(value) ? undefined : value),
    options,
  )
}

/** The address of a listening server, in the form that Node's `net.connect` takes. */
export type SocketAddress = { readonly host: string; readonly port: number } | { readonly path: string }

export const socketAddressOf = (value: string): SocketAddress | undefined => {
  if (value.startsWith('/')) return { path: value }
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:/\s]+)):(\d{1,5})$/.exec(value) ?? []
  const [host, port] = [bracketed ?? plain, Number(digits)]
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : undefined
}

/** A TCP address as `host:port` (an IPv6 address in brackets), or the absolute path of a Unix socket. */
export const socketAddress = (options: Optional): Variable<SocketAddress | undefined> =>
  variable('`host:port`, or the absolute path of a Unix socket', socketAddressOf, options)

/** One of `values`; case matters. */
export function choice<const T extends string>(values: readonly T[], options: Defaulted<T>): Variable<T> {
  return variable(`one of ${values.join(', ')}`, (value) => values.find((one) => one === value), options)
}

const isTimeZone = (name: string): boolean => {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The IANA name of a time zone. Offsets are refused, as in records: newer versions of Node accept them, older ones do not. */
export const timeZone = (options: Defaulted<string>): Variable<string> =>
  variable('the IANA name of a time zone', (value) => (/^[a-z]/i.test(value) && isTimeZone(value) ? value : undefined), options)
