import type { Id } from '@caseway/kit/caller'
import { ownNames } from '../clients/client-event.js'

/** The data of a client, as the external accounting platform has them. */
export interface ClientData {
  readonly email: string
  readonly firstname: string
  readonly lastname: string
  /** Empty where there is none. */
  readonly companyName: string
}

/** The fields that change; a missing one stays as it is. */
export type ClientDataChanges = Partial<ClientData>

/** The answer to a reservation. */
export interface Reservation {
  readonly clientId: Id
  /** The data before the change. */
  readonly data: ClientData
  /** The requested changes that differ from `data`. */
  readonly changes: ClientDataChanges
}

const fields = ['email', 'firstname', 'lastname', 'companyName'] as const

/** The changes that differ from the data. Addresses are compared case-sensitively, because they are shown as they were written. */
export function differing(data: ClientData, changes: ClientDataChanges): ClientDataChanges {
  const different = fields.filter((field) => changes[field] !== undefined && changes[field] !== data[field])
  return Object.fromEntries(different.map((field) => [field, changes[field]]))
}

/** The columns for the names that a change sets. */
export const namesIn = ({ firstname, lastname }: ClientDataChanges) => ({
  ...(firstname !== undefined && { firstname }),
  ...(lastname !== undefined && { lastname }),
})

/** The card that an office keeps of a client. */
export interface Card {
  readonly firstname: string
  readonly lastname: string
  readonly companyName: string | null
}

/** The account of a client. */
type Account = Parameters<typeof ownNames>[0] & { readonly email: string; readonly companyName: string | null }

/** The data of a client. What the account does not contain is taken from the cards, where all offices agree. */
export function dataOf(client: Account, cards: readonly Card[]): ClientData {
  const agreed = (field: keyof Card): string => {
    const [known = '', ...others] = new Set(cards.map((card) => card[field] ?? ''))
    return others.length > 0 ? '' : known
  }
  const { email, companyName } = client
  const own = ownNames(client)
  const names = { firstname: own.firstname || agreed('firstname'), lastname: own.lastname || agreed('lastname') }
  return { email, ...names, companyName: companyName ?? agreed('companyName') }
}

/** The links of a client, which are changed in the transaction of a change of the account. */
export interface OfficesOfClient {
  /** Publishes each active link in a new version, because its address has changed. */
  publishAll(clientId: Id): Promise<void>
  changeCards(clientId: Id, card: Partial<Card>): Promise<void>
}
