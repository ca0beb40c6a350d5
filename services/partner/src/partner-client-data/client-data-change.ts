import { defineJob } from '@caseway/kit/jobs'
import type { AskedChange } from './client-data.js'

/**
 * The saga. The changes of one client run one after the other; what has begun is tried again without end, since nobody else could end it. A copy
 * that is killed loses its lease within ten seconds.
 */
export const clientDataChange = defineJob<AskedChange>({
  name: 'partner.client-data-change',
  key: ({ externalUserId }) => externalUserId,
  leaseMs: 10_000,
  retry: { tries: Number.POSITIVE_INFINITY, firstMs: 250, mostMs: 5_000 },
})

/** The channel on which the ids of ended changes are told. */
export const endedChanges = 'client_data_change'
