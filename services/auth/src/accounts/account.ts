import type { Audience, Id, Role, Subject } from '@caseway/kit/caller'

/** Whose password signs in. */
export type Person = Subject & { readonly kind: 'employee' | 'client' }

/** Who signs in on an address. */
export const kindAt: Readonly<Record<Audience, Person['kind']>> = { expert: 'employee', client: 'client' }

/** Somebody who can sign in: an employee on the one address, a client on the other. */
export interface Account {
  readonly audience: Audience
  readonly userId: Id
  readonly customerId: Id | null
  readonly role: Role
  readonly active: boolean
  /** What they sign in with. */
  readonly email: string
  readonly passwordHash: string | null
  /** Another one has to be set before anything else. */
  readonly passwordExpired: boolean
  readonly secondFactor: SecondFactorState
  /** Null for clients. */
  readonly userRole: AccountRole | null
}

export interface SecondFactorState {
  readonly enabled: boolean
  /** Whether the office demands one. */
  readonly required: boolean
}

export interface AccountRole {
  readonly id: Id
  readonly customerId: Id
  readonly name: string
  readonly created: Date
  readonly modified: Date
}

/** What is kept of a password. */
export type StoredPassword = Pick<Account, 'passwordExpired'> & { readonly passwordHash: string }

/** What a person signs in with, of a row that is locked. */
export interface LockedLogin {
  readonly email: string
  readonly passwordHash: string | null
  readonly active: boolean
  /** Null for clients. */
  readonly customerId: Id | null
}
