import type { PurgeRule } from '@caseway/kit/purge'

const dayMs = 86_400_000

/** Unseen notifications are kept. */
export const notificationRetention: readonly PurgeRule[] = [{ table: 'notifications', column: 'seen_at', keepMs: 30 * dayMs }]
