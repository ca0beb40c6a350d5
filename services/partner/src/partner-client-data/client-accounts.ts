import type { Id } from '@caseway/kit/caller'
import type { ClientDataChanges } from './client-data.js'

export interface Reserved {
  readonly clientId: Id
  /** Before the change. */
  readonly email: string
  /** Those that differ from what is stored. Without any nothing is reserved. */
  readonly changes: ClientDataChanges
}

/** The accounts of clients, which auth keeps. What changes something may be repeated under the id of the change. */
export interface ClientAccounts {
  /** @throws AppError `not-found` CLIENT_USER_NOT_FOUND */
  differs(externalUserId: string, changes: ClientDataChanges): Promise<boolean>
  /**
   * Keeps the new address for the client until the change is applied or released.
   * @throws AppError CLIENT_USER_NOT_FOUND, EMAIL_TAKEN_BY_USER, EMAIL_TAKEN_BY_CLIENT; `conflict` ADDRESS_RESERVED while another change has the address
   */
  reserve(id: string, externalUserId: string, changes: ClientDataChanges): Promise<Reserved>
  /** @returns the offices that the client is attached to */
  apply(id: string, changes: ClientDataChanges, applicationId: Id): Promise<Id[]>
  release(id: string): Promise<void>
}

/** The business cards that offices keep of a client, which cases-and-counters has. */
export interface ClientCards {
  /** May be repeated. @returns how many cards the office keeps of the client */
  change(customerId: Id, clientId: Id, changes: ClientDataChanges): Promise<number>
}
