import type { BatchStatement } from '@caseway/kit/database'
import { resourceRoutes } from '@caseway/kit/http'
import type { Links } from '@caseway/people'
import type { Db } from '../database.js'
import type { Fact } from '../notifications/notification.js'
import { clientPaymentOfferService } from './client-payment-offer.service.js'
import { type CasesOfOffers, paymentOfferRepository } from './payment-offer.repository.js'
import { clientPaymentOfferResource, paymentOfferResource } from './payment-offer.resource.js'
import { paymentOfferService } from './payment-offer.service.js'

export interface OfferParts {
  readonly issues: CasesOfOffers
  readonly links: Links
  readonly notify: (fact: Fact) => BatchStatement
}

/** The payment offers for cases. */
export function wirePaymentOffers(db: Db, { issues, links, notify }: OfferParts) {
  const offers = paymentOfferRepository(db, issues, notify)
  return {
    routes: resourceRoutes(paymentOfferResource, paymentOfferService(offers, links)),
    clientRoutes: resourceRoutes(clientPaymentOfferResource, clientPaymentOfferService(offers)),
  }
}
