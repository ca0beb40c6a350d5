import type { CardEvent } from '@caseway/protos/company_card/v1/events'
import type { PublishedCard } from './published-card.js'

/** The event with the published version of a card. Its revision is the version of the card. */
export const cardEvent = ({ revision, ...card }: PublishedCard): CardEvent => ({
  ...card,
  shortDescription: card.shortDescription ?? '',
  description: card.description ?? '',
  phone: card.phone ?? '',
  email: card.email ?? '',
  url: card.url ?? '',
  voivodeship: card.voivodeship ?? undefined,
  logoFilename: card.logoFilename ?? '',
  revision: BigInt(revision),
})
