import type { CardEvent } from '@caseway/protos/company_card/v1/events'
import type { PublishedCard } from './published-card.js'

/** The whole published version. Its revision is the version of the card: it grows with every change. */
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
