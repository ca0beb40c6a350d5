import type { Id } from '@caseway/kit/caller'

/** The changes that the platform has sent. Missing fields stay unchanged; an empty company removes it. */
export interface ClientDataChanges {
  readonly email?: string
  readonly firstname?: string
  readonly lastname?: string
  readonly companyName?: string
}

/** The `errorCode` of a refused change. */
export type RefusalCode = 'CLIENT_USER_NOT_FOUND' | 'EMAIL_TAKEN_BY_USER' | 'EMAIL_TAKEN_BY_CLIENT' | 'SSO_UNAVAILABLE'

/** How a change has ended. */
export type Outcome =
  | { readonly state: 'changed'; readonly userClientId: Id; readonly updatedInitiators: number }
  | { readonly state: 'unchanged' }
  | { readonly state: 'refused'; readonly refusal: RefusalCode }

/**
 * `received`: nothing is changed. `reserved`: the single sign-on system may have the change, or, where it has nothing to change, the accounts. `applied`: the
 * accounts have it too, but not yet the cards.
 */
export type State = 'received' | 'reserved' | 'applied' | Outcome['state']

/** A requested change: the payload of its job. */
export interface RequestedChange {
  readonly id: string
  readonly externalUserId: string
  readonly changes: ClientDataChanges
  /** The technical account, in decimal digits. */
  readonly applicationId: string
}
