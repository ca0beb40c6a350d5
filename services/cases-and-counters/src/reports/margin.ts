import type { Id } from '@caseway/kit/caller'

/** The price of a case, compared with the work for it. Without a chosen offer `amount`, `planned` and the values derived from them are null. */
export interface Margin {
  readonly issueId: Id
  readonly number: number
  readonly subject: string
  /** The chosen offer. */
  readonly issuePaymentOfferId: Id | null
  readonly amount: string | null
  /** The man-hours of the offer, or its working time if they are 0; in whole seconds, as text. */
  readonly planned: string | null
  /** All recorded work of both kinds, in whole seconds, as text. A timer counts once it has stopped. */
  readonly spent: string
  /** `planned` minus `spent`; negative if more was spent. */
  readonly left: string | null
  /** `amount` divided by the hours spent, rounded to two decimals; null if no time was spent. */
  readonly effectiveHourlyRate: string | null
  /** The part of `spent` on the days of a report. */
  readonly spentInPeriod: string
}

/** A margin as it is sent: everything is text, or null. */
export const marginToWire = (margin: Margin) => ({
  issue_id: String(margin.issueId),
  number: String(margin.number),
  subject: margin.subject,
  issue_payment_offer_id: margin.issuePaymentOfferId === null ? null : String(margin.issuePaymentOfferId),
  amount: margin.amount,
  planned: margin.planned,
  spent: margin.spent,
  left: margin.left,
  effective_hourly_rate: margin.effectiveHourlyRate,
})
