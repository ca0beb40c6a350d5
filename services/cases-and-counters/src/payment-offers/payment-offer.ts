import type { Id } from '@caseway/kit/caller'
import { invalid } from '@caseway/kit/errors'
import { type Fact, noticesTo } from '../notifications/notification.js'
import type { ClientPaymentOfferChanges, PaymentOffer, PaymentOfferChanges } from './payment-offer.resource.js'

/** The fields of a case that its offers use. */
export interface CaseOfOffers {
  readonly id: Id
  readonly customerId: Id
  readonly userClientId: Id | null
  readonly userId: Id | null
  readonly delegatedUserId: Id | null
}

/**
 * The client to whom an offer is made: that of the case, or, if the case has none, the named one.
 * @throws AppError `invalid` if there is none, or another one is named
 */
export function clientOf({ userClientId }: CaseOfOffers, named: Id | undefined): Id {
  const client = userClientId ?? named
  if (client === undefined) throw invalid({ user_client_id: 'is required' })
  if (named !== undefined && named !== client) throw invalid({ user_client_id: 'is not the client of the case' })
  return client
}

const terms = ['name', 'workTime', 'manHours', 'hourlyRate', 'description', 'amount'] as const

/** The changes together with their effect on the choice: a change of the terms undoes it. */
export function changed(offer: PaymentOffer, changes: PaymentOfferChanges): PaymentOfferChanges & { isChosen: boolean } {
  const sameTerms = terms.every((name) => changes[name] === undefined || changes[name] === offer[name])
  return { ...changes, isChosen: offer.isChosen && sameTerms }
}

/**
 * Whether a client chooses an offer.
 * @throws AppError `invalid` for an attempt to undo the choice: another offer has to be chosen instead
 */
export function chooses({ isChosen }: ClientPaymentOfferChanges): boolean {
  if (isChosen === false) throw invalid({ is_chosen: 'must be 1' })
  return isChosen === true
}

/** The fact that a client has chosen an offer, for the owner and the delegate of the case. */
export function chosenFact({ id: issueId, customerId, userId, delegatedUserId }: CaseOfOffers, offer: { id: Id; version: number }): Fact {
  const notices = noticesTo('offer_chosen', userId, delegatedUserId)
  return { customerId, fromUserId: null, issueId, objectId: offer.id, version: offer.version, notices }
}
