import { checkServerIdentity } from 'node:tls'
import type pg from 'pg'
import { parse, toClientConfig } from 'pg-connection-string'
import { sslModeOf, sslProblem } from './ssl-mode.js'

/**
 * The configuration with which node-postgres connects to `url`. `sslmode` and `sslrootcert` mean what libpq documents (PostgreSQL 18, 32.19):
 * - `disable`, or no `sslmode`: plain text;
 * - `require`: TLS without verification of the certificate; with `sslrootcert` the same as `verify-ca`;
 * - `verify-ca`: TLS, and the certificate of the server must be signed by an authority in `sslrootcert`;
 * - `verify-full`: the certificate must also name the host; `sslrootcert=system` means the authorities that Node trusts.
 *
 * `allow` and `prefer` are refused. The files are read at once.
 * @throws Error where the mode is unknown or needs an `sslrootcert`, or a file cannot be read
 */
export function databaseConnection(url: string): pg.ClientConfig {
  const problem = sslProblem(url)
  if (problem) throw new Error(`The address of a database ${problem}`)
  const address = new URL(url)
  if (address.searchParams.get('sslrootcert') === 'system') address.searchParams.delete('sslrootcert')
  const config = toClientConfig(parse(address.href, { useLibpqCompat: true })) as pg.ClientConfig
  const { host, ssl } = config
  if (sslModeOf(url) !== 'verify-full' || typeof ssl !== 'object' || !host) return config
  // Where the host is an IP address, node-postgres would compare the certificate with "localhost".
  return { ...config, ssl: { ...ssl, checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate) } }
}
