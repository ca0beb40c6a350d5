import type { Id } from '@caseway/kit/caller'
import { invalid } from '@caseway/kit/errors'
import { type Fact, noticesTo } from '../notifications/notification.js'
import type { ClientPaymentOfferChanges, PaymentOffer, PaymentOfferChanges } from './payment-offer.resource.js'

/** What offers look at of their case. */
export interface CaseOfOffers {
  readonly id: Id
  readonly customerId: Id
  readonly userClientId: Id | null
  readonly userId: Id | null
  readonly delegatedUserId: Id | null
}

/**
 * Whom an offer is made to: the client of the case, whether named or not, and where the case has none, the one who is named.
 * @throws AppError `invalid`
 */
export function clientOf({ userClientId }: CaseOfOffers, named: Id | undefined): Id {
  const client = userClientId ?? named
  if (client === undefined) throw invalid({ user_client_id: 'is required' })
  if (named !== undefined && named !== client) throw invalid({ user_client_id: 'is not the client of the case' })
  return client
}

const terms = ['name', 'workTime', 'manHours', 'hourlyRate', 'description', 'amount'] as const

/** What a change makes of an offer: where other terms are offered than those that were chosen, nothing is chosen. */
export function changed(offer: PaymentOffer, changes: PaymentOfferChanges): PaymentOfferChanges & { isChosen: boolean } {
  const sameTerms = terms.every((name) => changes[name] === undefined || changes[name] === offer[name])
  return { ...changes, isChosen: offer.isChosen && sameTerms }
}

/**
 * Whether a client chooses an offer.
 * @throws AppError `invalid` where they want to take the choice back: they choose another one instead
 */
export function chooses({ isChosen }: ClientPaymentOfferChanges): boolean {
  if (isChosen === false) throw invalid({ is_chosen: 'must be 1' })
  return isChosen === true
}

/** That a client has chosen an offer, for those with the case. */
export function chosenFact({ id: issueId, customerId, userId, delegatedUserId }: CaseOfOffers, offer: { id: Id; version: number }): Fact {
  const notices = noticesTo('offer_chosen', userId, delegatedUserId)
  return { customerId, fromUserId: null, issueId, objectId: offer.id, version: offer.version, notices }
}
