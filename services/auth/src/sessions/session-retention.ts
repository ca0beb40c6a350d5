import type { PurgeRule } from '@caseway/kit/purge'

/** A session must be kept as long as one of its access tokens may be unexpired. */
export function sessionRetention(accessTokenMs: number): PurgeRule[] {
  const keepMs = 2 * accessTokenMs
  return [
    { table: 'refresh_tokens', column: 'expires', keepMs },
    // The deletion cascades to refresh tokens, of which a session may have thousands, so the chunks are small.
    { table: 'sessions', column: 'ended', keepMs, chunk: 20 },
    { table: 'sessions', column: 'expires', keepMs, chunk: 20 },
  ]
}
