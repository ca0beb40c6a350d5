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

type OfClient = Pick<CaseOfOffers, 'userClientId'>

/** The error of an offer for which neither the case nor the caller names a client, or each of them another one; undefined for any other offer. */
export function clientError({ userClientId }: OfClient, named: Id | undefined): { user_client_id: string } | undefined {
  if (userClientId === null) return named === undefined ? { user_client_id: 'is required' } : undefined
  return named === undefined || named === userClientId ? undefined : { user_client_id: 'is not the client of the case' }
}

/**
 * The client to whom an offer is made: that of the case, or, if the case has none, the named one.
 * @throws AppError `invalid` with `clientError`
 */
export function clientOf(issue: OfClient, named: Id | undefined): Id {
  const wrong = clientError(issue, named)
  if (wrong) throw invalid(wrong)
  return (issue.userClientId ?? named) as Id
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
