import { kitTables, type PurgeRule } from '@caseway/kit/purge'
import { knownMs } from './tokens/known-address.repository.js'

const day = 86_400_000

/** How long the rows of each growing table are kept. */
export function retention(accessTokenMs: number): PurgeRule[] {
  // A session must be known for as long as one of its access tokens may still be good.
  const keepMs = 2 * accessTokenMs
  return [
    ...kitTables,
    { table: 'refresh_tokens', column: 'expires', keepMs },
    // Each takes its tokens with it, thousands where somebody is signed in all day.
    { table: 'sessions', column: 'ended', keepMs, chunk: 20 },
    { table: 'sessions', column: 'expires', keepMs, chunk: 20 },
    { table: 'login_failures', column: 'expire', unit: 'epoch-ms', keepMs: 0 },
    { table: 'token_requests', column: 'expire', unit: 'epoch-ms', keepMs: 0 },
    { table: 'office_requests', column: 'expire', unit: 'epoch-ms', keepMs: 0 },
    { table: 'known_addresses', column: 'seen', keepMs: knownMs },
  ]
}

/** A year, also a leap year: the trigger of the table refuses to delete anything younger. */
export const auditRetention: readonly PurgeRule[] = [{ table: 'audit_events', column: 'created', keepMs: 366 * day }]
