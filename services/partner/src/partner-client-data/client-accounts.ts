import type { Id } from '@caseway/kit/caller'
import type { ClientDataChanges } from './client-data.js'

export interface Reserved {
  readonly clientId: Id
  /** The address before the change. */
  readonly email: string
  /** The changes that differ from the stored data. Where it is empty, nothing is reserved. */
  readonly changes: ClientDataChanges
}

/** The accounts of clients, which auth owns. Calls with the id of a change are idempotent. */
export interface ClientAccounts {
  /** Whether a change would change anything. @throws AppError `not-found` CLIENT_USER_NOT_FOUND */
  differs(externalUserId: string, changes: ClientDataChanges): Promise<boolean>
  /**
   * Reserves the new address for the client until the change is applied or released.
   * @throws AppError CLIENT_USER_NOT_FOUND, EMAIL_TAKEN_BY_USER, EMAIL_TAKEN_BY_CLIENT; `conflict` ADDRESS_RESERVED while another change has the address
   */
  reserve(id: string, externalUserId: string, changes: ClientDataChanges): Promise<Reserved>
  /** Applies the change. @returns the offices with which the client is linked */
  apply(id: string, changes: ClientDataChanges, applicationId: Id): Promise<Id[]>
  release(id: string): Promise<void>
}

/** The business cards of clients, which cases-and-counters owns. */
export interface ClientCards {
  /** Idempotent. @returns how many cards the office has of the client */
  change(customerId: Id, clientId: Id, changes: ClientDataChanges): Promise<number>
}
