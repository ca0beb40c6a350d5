/** Somebody who has written to the office, and may have a card there. */
export interface Contact {
  readonly firstName: string
  readonly lastName: string
  readonly email: string | null
  readonly phone: string | null
  readonly companyName: string | null
}
