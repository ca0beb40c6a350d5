import type { Id } from '@caseway/kit/caller'

/** What the external accounting platform knows of a client. */
export interface ClientData {
  readonly email: string
  readonly firstname: string
  readonly lastname: string
  /** Empty where there is none. */
  readonly companyName: string
}

/** What is missing stays as it is. */
export type ClientDataChanges = Partial<ClientData>

/** What holds for a change while it is under way. */
export interface Reservation {
  readonly clientId: Id
  /** As it was before. */
  readonly data: ClientData
  /** Those that differ from it. */
  readonly changes: ClientDataChanges
}

const fields = ['email', 'firstname', 'lastname', 'companyName'] as const

/** Those of the changes that differ from the data. The case of an address counts: it is shown as it is written. */
export function differing(data: ClientData, changes: ClientDataChanges): ClientDataChanges {
  const different = fields.filter((field) => changes[field] !== undefined && changes[field] !== data[field])
  return Object.fromEntries(different.map((field) => [field, changes[field]]))
}

/** The columns of an account that a change sets. */
export const namesIn = ({ firstname, lastname }: ClientDataChanges) => ({
  ...(firstname !== undefined && { firstname }),
  ...(lastname !== undefined && { lastname }),
})

/** What an office calls a client. */
export interface Card {
  readonly firstname: string
  readonly lastname: string
  readonly companyName: string | null
}

/** The offices of a client, which learn of a change in its transaction. */
export interface OfficesOfClient {
  /** How to reach the client has changed. */
  publishAll(clientId: Id): Promise<void>
  changeCards(clientId: Id, card: Partial<Card>): Promise<void>
}
