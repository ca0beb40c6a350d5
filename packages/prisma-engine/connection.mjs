import { parse, toClientConfig } from 'pg-connection-string'

/** libpq's `allow` and `prefer` are not supported, neither here nor by the services, because they may fall back to plain text silently. */
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full']

/**
 * The configuration of node-postgres for `url`, with `sslmode` and `sslrootcert` as libpq documents them (PostgreSQL 18, 32.19), and Prisma's
 * parameter `schema`. It never contains `connectionString`, whose database would take precedence over `database`.
 * @param database another database of the same server
 * @throws Error when `sslmode` is not supported, or a file cannot be read
 */
export function connectionTo(url, database) {
  const address = new URL(url)
  const { sslmode = 'disable', sslrootcert, schema } = Object.fromEntries(address.searchParams)
  if (!sslModes.includes(sslmode)) throw new Error(`sslmode=${sslmode} is not supported. Use one of ${sslModes.join(', ')}.`)
  if (sslrootcert === 'system') address.searchParams.delete('sslrootcert') // The default of Node.
  const config = toClientConfig(parse(address.href, { useLibpqCompat: true }))
  const options = [config.options, schema && `-c search_path=${schema}`].filter(Boolean).join(' ')
  return { ...config, database: database ?? config.database, options, max: 1 }
}
