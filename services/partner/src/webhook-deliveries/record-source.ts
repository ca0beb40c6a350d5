import type { Id } from '@caseway/kit/caller'

/** The records of the services, as REST shows them. */
export interface RecordSource {
  /**
   * JSON in the wrapper, by the ids of those that the office has.
   * @param resource the wrapper
   * @throws AppError `unavailable` while their owner does not answer
   */
  read(customerId: Id, resource: string, ids: readonly Id[]): Promise<ReadonlyMap<Id, string>>
}
