import type { PurgeRule } from '@caseway/kit/purge'

const dayMs = 86_400_000

/** By then the platform has forgotten a code itself, and refuses it. A request is kept as long as the code that it was used for. */
export const codeRetention: readonly PurgeRule[] = [
  { table: 'auth_codes', column: 'created', keepMs: dayMs },
  { table: 'authorizations', column: 'expires', keepMs: dayMs },
]
