import type { ClientDataChanges } from './client-data.js'

/** The data of a person in the single sign-on system, as JSON. */
export interface SsoRecord {
  readonly userName?: string
  readonly name?: { readonly givenName?: string; readonly familyName?: string }
  readonly emails?: readonly { readonly value: string }[]
}

/** A person in the single sign-on system. */
export interface SsoPerson {
  readonly id: string
  /** Their data when they were found; missing in jobs of an earlier build. */
  readonly was?: SsoRecord
}

/** The changes that concern the single sign-on system, which knows no company. */
export type SsoChanges = Omit<ClientDataChanges, 'companyName'>

/** The single sign-on system of the external platform. */
export interface SingleSignOn {
  /** The person with the address. @throws AppError SSO_UNAVAILABLE, also where the person is ambiguous */
  find(email: string): Promise<SsoPerson | undefined>
  /** All persons with the address. @throws AppError SSO_UNAVAILABLE */
  holders(email: string): Promise<readonly SsoPerson[]>
  /**
   * Changes a person. Idempotent. A person who no longer exists there is skipped. A change that is refused after it was partly made is undone.
   * @param before the address of the person before the change
   * @returns why the system refuses the change, which is undone then; undefined where it was made
   * @throws AppError EMAIL_TAKEN_BY_CLIENT, after which it is undone as well; SSO_UNAVAILABLE where nothing was changed; `uncertain` where that is unknown
   */
  change(person: SsoPerson, before: string, changes: SsoChanges): Promise<Error | undefined>
}
