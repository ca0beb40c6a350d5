import { hash } from 'node:crypto'
import type { Employee, Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import { notFound } from '@caseway/kit/errors'
import type { Db, Tx } from '../database.js'
import type { Logo } from './logo.js'

export const logoRepository = (db: Db) => ({
  /** Stores the logo of a card, in place of the previous one. */
  async put(tx: Tx, { customerId }: Employee, cardId: Id, { mime, bytes }: Logo): Promise<void> {
    const logo = { customerId, mime, bytes, sha256: new Uint8Array(hash('sha256', bytes, 'buffer')) }
    const key = { cardId, published: false }
    await tx.companyCardLogo.upsert({ where: { cardId_published: key }, create: { ...key, ...logo }, update: logo })
  },

  /** @throws AppError `not-found` where the card has none */
  async remove(tx: Tx, cardId: Id): Promise<void> {
    const { count } = await tx.companyCardLogo.deleteMany({ where: { cardId, published: false } })
    if (count === 0) throw notFound()
  },

  /** Publishes the logo of a card, in place of the previous one. */
  async publish(tx: Tx, cardId: Id): Promise<void> {
    await tx.companyCardLogo.deleteMany({ where: { cardId, published: true } })
    await tx.$executeRaw`
      INSERT INTO company_card_logos (card_id, published, customer_id, mime, sha256, bytes)
      SELECT card_id, true, customer_id, mime, sha256, bytes FROM company_card_logos WHERE card_id = ${cardId} AND NOT published`
  },

  published: (cardId: Id) => db.read(platform).companyCardLogo.findFirst({ where: { cardId, published: true } }),
})

export type LogoRepository = ReturnType<typeof logoRepository>
