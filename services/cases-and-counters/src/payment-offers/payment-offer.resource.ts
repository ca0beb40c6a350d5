import { experts } from '@caseway/kit/caller'
import { amount, flagInteger, idText, integer, line, once, paragraph, required, timestamp, updatable, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf, type RecordOf } from '@caseway/kit/resource'

/** Hours, or an hourly rate in whole units of the currency. */
const count = integer({ min: 0, max: 2 ** 31 - 1 })

/** The terms of an offer, to which a client agrees by choosing it. */
const terms = {
  name: writable(line({ max: 255 })),
  work_time: writable(count),
  man_hours: writable(count),
  hourly_rate: writable(count),
  description: writable(paragraph({ max: 10_000 })),
  amount: required(amount),
}

const issue_id = once(required(idText))
const times = { created: timestamp, modified: timestamp }

const naming = {
  name: 'IssuePaymentOffer',
  path: 'issue_payment_offer',
  table: 'issue_payment_offers',
} as const

/** An offer of the price for which a case is handled. A client chooses one of the offers of a case. */
export const paymentOfferResource = defineResource({
  ...naming,
  fields: {
    id: idText,
    customer_id: idText,
    user_client_id: once(idText),
    issue_id,
    ...terms,
    is_recommended: writable(flagInteger),
    is_chosen: flagInteger,
    ...times,
  },
  filter: ['issue_id', 'user_client_id'],
  sort: ['id', 'modified'],
  roles: { create: experts, update: experts },
})

/** An offer as clients see it. They may make offers for their cases, and choose one. */
export const clientPaymentOfferResource = defineResource({
  ...naming,
  audience: 'client',
  ownedBy: 'user_client_id',
  fields: {
    id: idText,
    customer_id: idText,
    user_client_id: idText,
    issue_id,
    ...terms,
    is_recommended: flagInteger,
    is_chosen: updatable(flagInteger),
    ...times,
  },
  filter: ['customer_id', 'issue_id'],
  sort: ['id', 'modified'],
})

export type PaymentOffer = RecordOf<typeof paymentOfferResource>
export type NewPaymentOffer = InputOf<typeof paymentOfferResource>
export type PaymentOfferChanges = ChangesOf<typeof paymentOfferResource>
export type NewClientPaymentOffer = InputOf<typeof clientPaymentOfferResource>
export type ClientPaymentOfferChanges = ChangesOf<typeof clientPaymentOfferResource>
