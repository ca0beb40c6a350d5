import type { Id } from '@caseway/kit/caller'

/** The records of the services, as REST shows them. */
export interface RecordSource {
  /**
   * The JSON of records in their wrapper, by their ids. Ids that the office does not have are missing.
   * @param resource the wrapper
   * @throws AppError `unavailable` while their owner does not answer
   */
  read(customerId: Id, resource: string, ids: readonly Id[]): Promise<ReadonlyMap<Id, string>>
}
