import type { Id } from '@caseway/kit/caller'

/** The published version of a card. */
export interface PublishedCard {
  /** The id of the card. */
  readonly id: Id
  readonly customerId: Id
  readonly hash: string
  readonly name: string
  readonly shortDescription: string | null
  readonly description: string | null
  readonly phone: string | null
  readonly email: string | null
  readonly url: string | null
  /** JSON: see `OpeningHours`. */
  readonly openingHours: string
  /** JSON, as the next. */
  readonly contactMethod: string
  readonly scopeOfService: string
  readonly street: string
  readonly zip: string
  readonly city: string
  readonly citySlug: string
  /** From 1 to 16. */
  readonly voivodeship: number | null
  readonly logoFilename: string | null
  /** The version of the card that was published. */
  readonly revision: number
}

/** Whether a text has the form of a card's hash. */
export const isHash = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)
