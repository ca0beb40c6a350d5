import type { Audience, Id, Role, Subject } from '@caseway/kit/caller'

/** A subject with a password. */
export type Person = Subject & { readonly kind: 'employee' | 'client' }

/** The kind of the people who sign in on an address of the gateway. */
export const kindAt: Readonly<Record<Audience, Person['kind']>> = { expert: 'employee', client: 'client' }

/** An account as the sign-in needs it: of an employee, or of a client. */
export interface Account {
  readonly audience: Audience
  readonly userId: Id
  readonly customerId: Id | null
  readonly role: Role
  readonly active: boolean
  /** The user name of the sign-in. */
  readonly email: string
  readonly passwordHash: string | null
  /** Whether another password has to be set before anything else. */
  readonly passwordExpired: boolean
  readonly secondFactor: SecondFactorState
  /** Null for clients. */
  readonly userRole: AccountRole | null
}

export interface SecondFactorState {
  readonly enabled: boolean
  /** Whether the office requires one. */
  readonly required: boolean
}

export interface AccountRole {
  readonly id: Id
  readonly customerId: Id
  readonly name: string
  readonly created: Date
  readonly modified: Date
}

/** The columns of a password. */
export type StoredPassword = Pick<Account, 'passwordExpired'> & { readonly passwordHash: string }

/** The login of a person, from a locked row. */
export interface LockedLogin {
  readonly email: string
  readonly passwordHash: string | null
  readonly active: boolean
  /** Null for clients. */
  readonly customerId: Id | null
}
