import type { Id } from '@caseway/kit/caller'

/** Messages of the mail service that were changed or deleted. */
export interface ChangedMail {
  readonly receivedIds: readonly Id[]
  readonly sentIds: readonly Id[]
}

export interface MailOfOffice extends ChangedMail {
  readonly customerId: Id
  /** The person who may see the change; 0 stands for everybody of the office. */
  readonly userId: Id
}

export interface MailOfEvent extends MailOfOffice {
  readonly eventId: string
}

/** A reader who has missed more messages, or more bytes of records, gets a `reset`. */
export const maxMail = 500
export const maxMailBytes = 131_072

export const countOf = ({ receivedIds, sentIds }: ChangedMail): number => receivedIds.length + sentIds.length

/** Merges changes: each message once, in the order of the last changes. */
export function together(changes: readonly ChangedMail[]): ChangedMail {
  const last = (ids: readonly Id[]) => [...new Set(ids.toReversed())].reverse()
  return { receivedIds: last(changes.flatMap(({ receivedIds }) => receivedIds)), sentIds: last(changes.flatMap(({ sentIds }) => sentIds)) }
}
