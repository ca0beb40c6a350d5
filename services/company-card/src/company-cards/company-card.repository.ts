import type { Employee, Id } from '@caseway/kit/caller'
import { office, onViolation, resourceReads } from '@caseway/kit/database'
import { type LinkableObject, seenByEmployees } from '@caseway/kit/objects'
import { isAlready } from '@caseway/kit/resource'
import type { Db, Tx } from '../database.js'
import { companyCardExists } from '../errors.js'
import type { CompanyCardModel } from '../generated/models.js'
import { type Move, type Status, statusAfter } from './company-card.js'
import { type CompanyCardChanges, companyCardResource, type NewCompanyCard } from './company-card.resource.js'

type Changes = CompanyCardChanges & Partial<Pick<CompanyCardModel, 'citySlug' | 'logoFilename' | 'changesRequestDetails'>>

export const companyCardRepository = (db: Db) => {
  const reads = resourceReads(db, companyCardResource)
  return {
    ...reads,

    /** The cards with these ids, as objects to which files can be attached. */
    async linkable(customerId: Id, ids: readonly Id[]): Promise<LinkableObject[]> {
      const where = { customerId, id: { in: [...ids] } }
      const found = await db.read(office(customerId)).companyCard.findMany({ where, select: { id: true, version: true } })
      return found.map((row) => seenByEmployees(row))
    },

    /** The card of the office. */
    own: ({ customerId }: Employee) => db.read({ customerId }).companyCard.findFirst({ where: { customerId } }),

    /** @throws AppError COMPANY_CARD_EXISTS */
    async create(caller: Employee, card: NewCompanyCard & Pick<CompanyCardModel, 'hash' | 'citySlug'>): Promise<Id> {
      try {
        const { customerId } = caller
        return (await db.write(caller, (tx) => tx.companyCard.create({ data: { ...card, customerId } }))).id
      } catch (error) {
        throw onViolation(error, 'company_cards_customer_id_key', companyCardExists())
      }
    },

    /**
     * Makes a move of the office, with its changes; `alsoWrite` runs in the same transaction. Does nothing where the card already has these values.
     * @throws AppError `not-found`, `stale`, COMPANY_CARD_STATE
     */
    move: (caller: Employee, id: Id, { move, changes = {}, expected, alsoWrite }: OwnMove) =>
      db.write(caller, async (tx) => {
        const card = await reads.lock(tx, caller, id, expected)
        const status = statusAfter(move, card.status as Status)
        if (move === 'change' && !alsoWrite && isAlready(card, changes)) return
        await tx.companyCard.update({ where: { id, customerId: caller.customerId }, data: { ...changes, status } })
        await alsoWrite?.(tx)
      }),
  }
}

export interface OwnMove {
  readonly move: Extract<Move, 'change' | 'submit'>
  readonly changes?: Changes
  readonly expected: number | undefined
  readonly alsoWrite?: ((tx: Tx) => Promise<void>) | undefined
}

export type CompanyCardRepository = ReturnType<typeof companyCardRepository>
