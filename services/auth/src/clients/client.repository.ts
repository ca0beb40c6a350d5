import type { Employee, Id } from '@caseway/kit/caller'
import { platform, resourceReads } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import type { Db, Tx } from '../database.js'
import { clientEvent, clientTopic } from '../events.js'
import { type ClientChanges, clientResource } from './client.resource.js'
import type { Card, LinkRepository, NewLink } from './link.repository.js'

/** Whoever is entered by his address alone gives his names himself. */
export interface NewAccount extends Partial<Card> {
  readonly email: string
  readonly passwordHash?: string
}

export const clientRepository = (db: Db, links: LinkRepository) => {
  const { find: _, lock: __, ...reads } = resourceReads(db, clientResource)

  /** The account of an address, which is one person's whatever office enters it. */
  const register = async (tx: Tx, { email, firstname, lastname, phone, passwordHash }: NewAccount & Card) => {
    const data = { email, firstname, lastname, phone, passwordHash }
    const [created] = await tx.client.createManyAndReturn({ data: [data], skipDuplicates: true })
    if (created) await outbox(tx, clientTopic, clientEvent(created))
    return { account: created ?? (await tx.client.findFirstOrThrow({ where: { email } })), isNew: created !== undefined }
  }

  return {
    ...reads,

    /** The account, new or known, and its link with the office. */
    enter: (customerId: Id, { email, passwordHash, ...given }: NewAccount & Partial<NewLink>) =>
      db.write(platform, async (tx) => {
        const card = { firstname: '', lastname: '', ...given }
        const { account, isNew } = await register(tx, { email, passwordHash, ...card })
        return { id: account.id, linkId: await links.enter(customerId, account, isNew, card) }
      }),

    change: (caller: Employee, id: Id, changes: ClientChanges, expected?: number) =>
      links.change(caller, { userClientId: id }, changes, expected),

    remove: (caller: Employee, id: Id, expected?: number) => links.change(caller, { userClientId: id }, { state: 'ended' }, expected),
  }
}

export type ClientRepository = ReturnType<typeof clientRepository>
