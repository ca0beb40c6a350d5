import { isIPv4 } from 'node:net'

/** The supported modes of libpq. `allow` and `prefer` protect against nothing (PostgreSQL 18, 32.19.3). */
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const
export type SslMode = (typeof sslModes)[number]

/** The `sslmode` of the address of a database, by default `disable`. @throws Error where it is not one of `sslModes` */
export function sslModeOf(url: string): SslMode {
  const mode = new URL(url).searchParams.get('sslmode') ?? 'disable'
  const known = sslModes.find((one) => one === mode)
  if (!known) throw new Error(`sslmode=${mode} is not one of ${sslModes.join(', ')}`)
  return known
}

/** Why the address cannot be used, as the end of a sentence that begins with its name ("must have …"); undefined where it can. */
export function sslProblem(url: string): string | undefined {
  const parameters = new URL(url).searchParams
  const mode = parameters.get('sslmode') ?? 'disable'
  const authorities = parameters.get('sslrootcert')
  if (!sslModes.some((one) => one === mode)) return `must have an sslmode of ${sslModes.join(', ')}.`
  if (mode.startsWith('verify') && !authorities) return `must have sslrootcert with sslmode=${mode}.`
  if (authorities === 'system' && mode !== 'verify-full') return 'must have sslmode=verify-full with sslrootcert=system.'
  return undefined
}

/** Whether the host of the address is a loopback address or a Unix socket. */
export function staysOnThisMachine(url: string): boolean {
  const { hostname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  return host === '' || host.startsWith('/') || host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
}
