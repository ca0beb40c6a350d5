/** The profile of an office. Null where a field has no value. */
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
