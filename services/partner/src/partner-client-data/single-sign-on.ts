import type { ClientDataChanges } from './client-data.js'

/** Somebody whom the single sign-on system knows. */
export interface SsoPerson {
  readonly id: string
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
   * May be repeated. Of somebody who is gone there nothing is changed.
   * @param before the address of the person until now
   * @returns why it refuses the change, of which it has made nothing, neither now nor earlier
   * @throws AppError EMAIL_TAKEN_BY_CLIENT; SSO_UNAVAILABLE when nothing was changed; `uncertain` when nobody knows whether it was
   */
  change(person: SsoPerson, before: string, changes: SsoChanges): Promise<Error | undefined>
}
