import type { Id } from '@caseway/kit/caller'

/** What the platform sends of a client. What is missing stays as it is; an empty company is none. */
export interface ClientDataChanges {
  readonly email?: string
  readonly firstname?: string
  readonly lastname?: string
  readonly companyName?: string
}

/** Why a change was refused, as REST says it. */
export type RefusalCode = 'CLIENT_USER_NOT_FOUND' | 'EMAIL_TAKEN_BY_USER' | 'EMAIL_TAKEN_BY_CLIENT' | 'SSO_UNAVAILABLE'

/** How a change has ended. */
export type Outcome =
  | { readonly state: 'changed'; readonly userClientId: Id; readonly updatedInitiators: number }
  | { readonly state: 'unchanged' }
  | { readonly state: 'refused'; readonly refusal: RefusalCode }

/** `received`: nothing is changed yet. `reserved`: the single sign-on system may have the change. `applied`: so have the accounts, and cards are left. */
export type State = 'received' | 'reserved' | 'applied' | Outcome['state']

/** A change that somebody waits for. */
export interface AskedChange {
  readonly id: string
  readonly externalUserId: string
  readonly changes: ClientDataChanges
  /** The technical account, in decimal digits. */
  readonly applicationId: string
}
