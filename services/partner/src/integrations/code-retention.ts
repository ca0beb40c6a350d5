import type { PurgeRule } from '@caseway/kit/purge'

const day = 86_400_000

/** By then the platform has forgotten a code itself, and refuses it. Nobody can use a request that has expired. */
export const codeRetention: readonly PurgeRule[] = [
  { table: 'auth_codes', column: 'created', keepMs: day },
  { table: 'authorizations', column: 'expires', keepMs: 0 },
]
