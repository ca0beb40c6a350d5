import { checkServerIdentity } from 'node:tls'
import type pg from 'pg'
import { parse, toClientConfig } from 'pg-connection-string'
import { sslModeOf, sslProblem } from './ssl-mode.js'

/**
 * What node-postgres takes to connect to `url`, with `sslmode` and `sslrootcert` as libpq documents them (PostgreSQL 18, 32.19):
 * - `disable`, or no `sslmode`: plain text;
 * - `require`: TLS without a check of the certificate; with `sslrootcert` as `verify-ca`;
 * - `verify-ca`: TLS with a server whose certificate is of an authority in `sslrootcert`;
 * - `verify-full`: moreover the certificate names the host; `sslrootcert=system` takes the authorities that Node trusts.
 *
 * `allow` and `prefer` are refused. The files are read at once.
 * @throws Error when a mode is unknown or lacks its authorities, or a file cannot be read
 */
export function databaseConnection(url: string): pg.ClientConfig {
  const problem = sslProblem(url)
  if (problem) throw new Error(`The address of a database ${problem}`)
  const address = new URL(url)
  if (address.searchParams.get('sslrootcert') === 'system') address.searchParams.delete('sslrootcert')
  const config = toClientConfig(parse(address.href, { useLibpqCompat: true })) as pg.ClientConfig
  const { host, ssl } = config
  if (sslModeOf(url) !== 'verify-full' || typeof ssl !== 'object' || !host) return config
  // By itself node-postgres would compare the certificate with "localhost" where the host is an IP address.
  return { ...config, ssl: { ...ssl, checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate) } }
}
