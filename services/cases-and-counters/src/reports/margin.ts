import type { Id } from '@caseway/kit/caller'

/** What a case brings, beside what it takes. Without a chosen offer `amount`, `planned` and what follows from them are null. */
export interface Margin {
  readonly issueId: Id
  readonly number: number
  readonly subject: string
  /** The chosen offer, and its amount: money as text with two decimals. */
  readonly issuePaymentOfferId: Id | null
  readonly amount: string | null
  /** The man-hours of the offer, or where it has none its working time; in whole seconds as text, as those that follow. */
  readonly planned: string | null
  /** All that was recorded for the case, of either kind. A timer counts when it has stopped. */
  readonly spent: string
  /** What is left of the plan; below 0 where more was spent. */
  readonly left: string | null
  /** The amount by hours that were spent, rounded to two decimals; null before any was. */
  readonly effectiveHourlyRate: string | null
  /** What was spent within the days of a report. */
  readonly spentInPeriod: string
}

/** A margin as it leaves: everything is text, or null. */
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
