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
  /** Called in the transaction in which a client loses or regains access to the records of an office. */
  onAccessChange?: (tx: TransactionOf<Prisma>, changes: readonly Pick<Link, 'customerId' | 'clientId'>[]) => Promise<void>
}

/**
 * The links between clients and offices, in the table `client_links`. They decide what a client may read (`client_offices()` in the policies) and
 * write.
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

    /** Ends links that auth does not have, so that they give no access. */
    async endForgotten() {
      const links = await db.query(platform, forgottenLinks(undefined))
      await keep(links.map((link) => ({ ...link, state: AuthLinkState.ENDED, banned: true, revision: 0n })))
    },
  }

  /**
   * Looks up the copy, and unless the link is active there, auth. A link that auth knows but whose event has not arrived is stored immediately,
   * because the copy decides about access.
   */
  const find = async (customerId: Id, clientId: Id): Promise<LinkState | undefined> => {
    const [active] = await db.query(office(customerId), activeLink({ customerId, clientId }))
    if (active) return 'active'
    const link = await auth.link(customerId, clientId)
    if (!link) return undefined
    const state = stateOf(link)
    if (state === 'active') await keep([link])
    return state
  }

  /** The office of a client's request, or the error that refuses it. */
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

    /** The names of the fields whose ids are not of clients with an active link to the office. Ids that the stored record has are not refused. */
    missing: ({ customerId }: OfOffice, clients: References, stored?: Stored): Promise<string[]> =>
      missingReferences(clients, async (id) => (await find(customerId, id)) === 'active', stored),

    /**
     * The office of a client's request: the one that it names, or the client's only one.
     * @throws AppError `forbidden` where the link with it has ended; `invalid` if it is not one of the client's offices, or none is named and there
     *   is not exactly one
     */
    async officeOf(client: Client, named: Id | undefined): Promise<Id> {
      const office = await meant(client, named)
      if (office instanceof AppError) throw office
      return office
    },

    /** The text of the field `customer_id` where `officeOf` would refuse it as invalid; otherwise empty. */
    async officeErrors(client: Client, named: Id | undefined): Promise<Readonly<Record<string, string>>> {
      const office = await meant(client, named)
      return office instanceof AppError ? (office.fields ?? {}) : {}
    },

    /**
     * The only way in which a client may write: a transaction in the scope of an office. The link is checked, and locked until the transaction ends,
     * so that a ban and the write are ordered.
     * @param hidden the error where the client has no access; default: `not-found`
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
