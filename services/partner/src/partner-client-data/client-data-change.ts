import { defineJob } from '@caseway/kit/jobs'
import type { RequestedChange } from './client-data.js'

/**
 * The job of the saga. Changes of one client run one after the other, and are retried without end, since nobody else could end them. A copy
 * that is killed loses its lease within ten seconds.
 */
export const clientDataChange = defineJob<RequestedChange>({
  name: 'partner.client-data-change',
  key: ({ externalUserId }) => externalUserId,
  leaseMs: 10_000,
  retry: { tries: Number.POSITIVE_INFINITY, firstMs: 250, maxMs: 5_000 },
})

/** The channel of NOTIFY for the ids of ended changes. */
export const endedChanges = 'client_data_change'
