/** What an office says of itself. */
export interface OfficeProfile {
  readonly name: string
  readonly street: string
  readonly zip: string
  readonly city: string
  /** From 1 to 16. */
  readonly voivodeship: number | null
  readonly phone: string | null
  readonly email: string | null
  readonly url: string | null
}
