import type { Id } from '@caseway/kit/caller'

/** Counts how often a client turns to an office, over all copies of the service. */
export interface OfficeRequests {
  /** @throws AppError `limit` when it is too often */
  count(clientId: Id): Promise<void>
}
