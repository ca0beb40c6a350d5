import type { Id } from '@caseway/kit/caller'

/** Messages of the service of mail that look different from now on, or are gone. */
export interface ChangedMail {
  readonly receivedIds: readonly Id[]
  readonly sentIds: readonly Id[]
}

export interface MailOfOffice extends ChangedMail {
  readonly customerId: Id
  /** Who may see a difference; 0 stands for everybody of the office. */
  readonly userId: Id
}

/** Whoever missed more messages than this, or larger records of them, reads everything anew. */
export const maxMail = 500
export const maxMailBytes = 131_072

export const countOf = ({ receivedIds, sentIds }: ChangedMail): number => receivedIds.length + sentIds.length

/** Each once, in the order of their last change. */
export function together(changes: readonly ChangedMail[]): ChangedMail {
  const last = (ids: readonly Id[]) => [...new Set(ids.toReversed())].reverse()
  return { receivedIds: last(changes.flatMap(({ receivedIds }) => receivedIds)), sentIds: last(changes.flatMap(({ sentIds }) => sentIds)) }
}
