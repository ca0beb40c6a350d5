/** The contact data of a person who has written to the office. */
export interface Contact {
  readonly firstName: string
  readonly lastName: string
  readonly email: string | null
  readonly phone: string | null
  readonly companyName: string | null
}
