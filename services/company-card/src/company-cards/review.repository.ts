import { publishAudit } from '@caseway/kit/audit'
import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import { notFound, requireVersion } from '@caseway/kit/errors'
import type { Db, Tx } from '../database.js'
import type { CompanyCardModel } from '../generated/models.js'
import { type Move, type Status, statusAfter, statuses } from './company-card.js'

type Changes = Partial<Pick<CompanyCardModel, 'isVerified' | 'changesRequestDetails'>>

/** Publishes a card, in the transaction of its approval. */
type Publish = (tx: Tx, card: CompanyCardModel) => Promise<void>

/** The review of cards of all offices, by the operator. */
export const reviewRepository = (db: Db, publish: Publish) => {
  /** Makes a move of the operator. @throws AppError `not-found`; `stale` where the card has changed since `version`; COMPANY_CARD_STATE */
  const move = async (tx: Tx, id: Id, version: number, name: Move, changes: Changes) => {
    const [card] = await tx.$queryRaw<CompanyCardModel[]>`SELECT version, status FROM company_cards WHERE id = ${id} FOR UPDATE`
    if (!card) throw notFound()
    const status = statusAfter(name, card.status as Status)
    requireVersion(card, version)
    const reviewed = await tx.companyCard.update({ where: { id }, data: { ...changes, status } })
    const subject = { kind: 'company_card', id }
    await publishAudit(tx, { kind: 'company_card.reviewed', customerId: reviewed.customerId, subject, details: { state: name } })
    return reviewed
  }

  return {
    /** The cards that wait for review, the oldest first. */
    waiting: () =>
      db.read(platform).companyCard.findMany({ where: { status: statuses.waiting }, orderBy: [{ modified: 'asc' }, { id: 'asc' }] }),

    /** Since when the oldest card has been waiting for review; null where none is. */
    waitingSince: async (): Promise<Date | null> => {
      const { _min } = await db.read(platform).companyCard.aggregate({ _min: { modified: true }, where: { status: statuses.waiting } })
      return _min.modified
    },

    approve: (id: Id, version: number): Promise<void> =>
      db.write(platform, async (tx) => {
        await publish(tx, await move(tx, id, version, 'approve', { isVerified: true }))
      }),

    requestChanges: (id: Id, version: number, details: string): Promise<void> =>
      db.write(platform, async (tx) => {
        await move(tx, id, version, 'requestChanges', { changesRequestDetails: details })
      }),
  }
}
