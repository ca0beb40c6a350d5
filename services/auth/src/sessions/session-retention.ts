import type { PurgeRule } from '@caseway/kit/purge'

/** A session must be known for as long as one of its access tokens may still be unexpired. */
export function sessionRetention(accessTokenMs: number): PurgeRule[] {
  const keepMs = 2 * accessTokenMs
  return [
    { table: 'refresh_tokens', column: 'expires', keepMs },
    // Each deletes its tokens with it, thousands after a day of refreshes.
    { table: 'sessions', column: 'ended', keepMs, chunk: 20 },
    { table: 'sessions', column: 'expires', keepMs, chunk: 20 },
  ]
}
