import type { ClientDataChanges } from './client-data.js'

/** What the single sign-on system has of a person, in the types of JSON. */
export interface SsoRecord {
  readonly userName?: string
  readonly name?: { readonly givenName?: string; readonly familyName?: string }
  readonly emails?: readonly { readonly value: string }[]
}

/** Somebody whom the single sign-on system knows. */
export interface SsoPerson {
  readonly id: string
  /** What it had of them when they were found; missing where an earlier build has found them. */
  readonly was?: SsoRecord
}

/** Of what a client's account has, as much as the single sign-on system has as well. */
export type SsoChanges = Omit<ClientDataChanges, 'companyName'>

/** The single sign-on system of the external platform. */
export interface SingleSignOn {
  /** The person with the address. @throws AppError SSO_UNAVAILABLE, also where several have it */
  find(email: string): Promise<SsoPerson | undefined>
  /** All who have the address. @throws AppError SSO_UNAVAILABLE */
  holders(email: string): Promise<readonly SsoPerson[]>
  /**
   * May be repeated. Of somebody who is gone there nothing is changed. What was made of a change that is refused is taken back.
   * @param before the address of the person until now
   * @returns why it refuses the change, of which it has nothing that it did not have before
   * @throws AppError EMAIL_TAKEN_BY_CLIENT, as what is returned; SSO_UNAVAILABLE when nothing was changed; `uncertain` when nobody knows whether it was
   */
  change(person: SsoPerson, before: string, changes: SsoChanges): Promise<Error | undefined>
}
