import type { Client, Id } from '@caseway/kit/caller'
import { type Database, forgetRevisions, keepNewest, office, platform, type TransactionOf } from '@caseway/kit/database'
import { AppError, invalid, noSuchRecord, notFound } from '@caseway/kit/errors'
import { batchConsumer, type Copy } from '@caseway/kit/events'
import { LinkState as AuthLinkState } from '@caseway/protos/auth/v1/events'
import { linkTopic } from '@caseway/protos/topics'
import type { AuthDirectory } from './auth-directory.js'
import { linkEnded } from './errors.js'
import { type Link, type LinkState, stateOf } from './link.js'
import { activeLink, activeOffices, admitMissingStates, forgottenLinks, lockAll, lockPair, rowOf, table } from './link-rows.js'
import { missingReferences, type OfOffice, type References, type Stored } from './references.js'

interface LinkOptions<Prisma> {
  /** Called in the transaction in which a client sees the records of an office no more, or again. */
  onAccessChange?: (tx: TransactionOf<Prisma>, changes: readonly Pick<Link, 'customerId' | 'clientId'>[]) => Promise<void>
}

/**
 * The links between clients and offices, in the table `client_links`. The copies decide what a client sees (`client_offices()` in the policies)
 * and may write.
 */
export function copiedLinks<Prisma>(db: Database<Prisma>, auth: AuthDirectory, { onAccessChange }: LinkOptions<Prisma> = {}) {
  const keep = (links: readonly Link[]): Promise<void> =>
    db.write(platform, async (tx) => {
      const ids = links.map(({ id }) => id)
      const openness = async () => new Map((await db.query(platform, lockAll(ids))).map(({ id, open }) => [id, open]))
      const before = await openness()
      await db.query(platform, admitMissingStates(ids))
      await keepNewest(tx, table, links.map(rowOf))
      const after = await openness()
      const eachOnce = [...new Map(links.map((link) => [link.id, link])).values()]
      const changed = eachOnce.filter(({ id }) => before.has(id) && before.get(id) !== after.get(id))
      if (changed.length > 0) await onAccessChange?.(tx, changed)
    })

  const copy: Copy<Link[]> = {
    name: table,
    consumer: batchConsumer(linkTopic, keep),
    pages: auth.links,
    store: keep,
    forget: () => forgetRevisions(db, table, { repeating: 'state_revision' }),

    /** A client sees nothing by a link that auth does not have. */
    async endForgotten() {
      const links = await db.query(platform, forgottenLinks(undefined))
      await keep(links.map((link) => ({ ...link, state: AuthLinkState.ENDED, banned: true, revision: 0n })))
    },
  }

  /** By the copy, and where it says no, by auth. What auth knows before its event has come is kept at once: the copy is what decides. */
  const find = async (customerId: Id, clientId: Id): Promise<LinkState | undefined> => {
    const [active] = await db.query(office(customerId), activeLink({ customerId, clientId }))
    if (active) return 'active'
    const link = await auth.link(customerId, clientId)
    if (!link) return undefined
    const state = stateOf(link)
    if (state === 'active') await keep([link])
    return state
  }

  /** The office that a client means, or why it is none. */
  const meant = async (client: Client, named: Id | undefined): Promise<Id | AppError> => {
    if (named !== undefined) {
      const state = await find(named, client.userId)
      if (state === 'ended') return linkEnded()
      return state === 'active' ? named : noSuchRecord('customer_id')
    }
    const [only, ...others] = await db.query(client, activeOffices(client.userId))
    return only === undefined || others.length > 0 ? invalid({ customer_id: 'is required' }) : only.customerId
  }

  return {
    copy,

    /** The fields whose ids are not of clients who are linked with the office, nor named by the record already that `stored` reads. */
    missing: ({ customerId }: OfOffice, clients: References, stored?: Stored): Promise<string[]> =>
      missingReferences(clients, async (id) => (await find(customerId, id)) === 'active', stored),

    /**
     * The office that a client means: the one they name, or their only one.
     * @throws AppError `forbidden` where the link with it has ended, and `invalid`
     */
    async officeOf(client: Client, named: Id | undefined): Promise<Id> {
      const office = await meant(client, named)
      if (office instanceof AppError) throw office
      return office
    },

    /** A text for the field `customer_id`, where `officeOf` finds it wrong. */
    async officeErrors(client: Client, named: Id | undefined): Promise<Readonly<Record<string, string>>> {
      const office = await meant(client, named)
      return office instanceof AppError ? (office.fields ?? {}) : {}
    },

    /**
     * The transaction of an office in which a client writes, and the only one: whether they may is judged by the link, which stays locked
     * until the transaction ends. A ban waits for it, or it for the ban.
     * @param hidden what is thrown where the client sees nothing; by default `not-found`
     * @throws AppError `forbidden` where the link is not active
     */
    writeAs: <T>(client: Client, customerId: Id, work: (tx: TransactionOf<Prisma>) => Promise<T>, hidden = notFound()): Promise<T> =>
      db.write(office(customerId), async (tx) => {
        const [link] = await db.query(office(customerId), lockPair({ customerId, clientId: client.userId }))
        if (!link?.open) throw hidden
        if (!link.linked) throw linkEnded()
        return work(tx)
      }),
  }
}

export type Links<Prisma = unknown> = ReturnType<typeof copiedLinks<Prisma>>
