import { platform } from '@caseway/kit/database'
import { notFound } from '@caseway/kit/errors'
import { outbox } from '@caseway/kit/events'
import { cardTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import type { CompanyCardModel } from '../generated/models.js'
import { cardEvent } from './card-event.js'
import { isHash, type PublishedCard } from './published-card.js'

export const publishedCardRepository = (db: Db) => ({
  /** The published card with this hash. @throws AppError `not-found`, also for the hash of a card that is not published */
  async get(hash: string): Promise<PublishedCard> {
    const card = isHash(hash) ? await db.read(platform).publishedCompanyCard.findFirst({ where: { hash } }) : null
    if (!card) throw notFound()
    return card
  },

  /** Publishes the present version of a card, in place of the previous one. */
  async publish(tx: Tx, card: CompanyCardModel): Promise<void> {
    const { status, isVerified, changesRequestDetails, created, modified: published, version: revision, ...contents } = card
    const version = { ...contents, revision }
    await tx.publishedCompanyCard.upsert({ where: { id: card.id }, create: { ...version, published }, update: { ...version, published } })
    await outbox(tx, cardTopic, cardEvent(version))
  },
})
