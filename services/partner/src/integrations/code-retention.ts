import type { PurgeRule } from '@caseway/kit/purge'

const dayMs = 86_400_000

/** Codes are kept for a day, after which the platform refuses them itself; authorization requests as long as their codes. */
export const codeRetention: readonly PurgeRule[] = [
  { table: 'auth_codes', column: 'created', keepMs: dayMs },
  { table: 'authorizations', column: 'expires', keepMs: dayMs },
]
