import type { Client, Id } from '@caseway/kit/caller'
import { forgetRevisions, keepNewest, office, platform } from '@caseway/kit/database'
import { notFound } from '@caseway/kit/errors'
import type { Db, Tx } from '../database.js'
import { linkEnded } from '../errors.js'
import type { CopiedLink } from './directory.js'

/** Follows, in the same transaction, that a client sees the records of an office no more, or again. */
export type AccessFollower = (tx: Tx, changes: readonly Pick<CopiedLink, 'customerId' | 'clientId'>[]) => Promise<void>

interface Opening {
  readonly id: Id
  readonly open: boolean
}

/** Copies of the links between clients and offices. They decide what a client sees (`client_offices` in the policies) and may write. */
export const linkRepository = (db: Db, follow: AccessFollower) => {
  /** Locked until the transaction ends, always in the order of their ids. */
  const lockAll = (tx: Tx, ids: readonly Id[]) => tx.$queryRaw<Opening[]>`
    SELECT id, is_open(link) AS open FROM client_links AS link WHERE id = ANY (${ids}::bigint[]) ORDER BY id FOR UPDATE`

  return {
    async isLinked(customerId: Id, clientId: Id): Promise<boolean> {
      return (await db.read(office(customerId)).clientLink.count({ where: { customerId, clientId, linked: true } })) > 0
    },

    async officesOf(client: Client): Promise<Id[]> {
      const links = await db.read(client).clientLink.findMany({ where: { clientId: client.userId, linked: true } })
      return links.map(({ customerId }) => customerId)
    },

    /**
     * The transaction of an office in which a client writes, and the only one: whether they may is judged by the link, which stays locked
     * until the transaction ends. A ban waits for it, or it for the ban.
     * @param hidden what is thrown where the client sees nothing; by default `not-found`
     * @throws AppError `forbidden` where the link is not active
     */
    writeAs: <T>(client: Client, customerId: Id, work: (tx: Tx) => Promise<T>, hidden = notFound()): Promise<T> =>
      db.write(office(customerId), async (tx) => {
        const [link] = await tx.$queryRaw<{ linked: boolean; open: boolean }[]>`
          SELECT linked, is_open(link) AS open FROM client_links AS link
          WHERE customer_id = ${customerId} AND client_id = ${client.userId} FOR SHARE`
        if (!link?.open) throw hidden
        if (!link.linked) throw linkEnded()
        return work(tx)
      }),

    keepLinks: (links: readonly CopiedLink[]): Promise<void> =>
      db.write(platform, async (tx) => {
        const ids = links.map(({ id }) => id)
        const before = new Map((await lockAll(tx, ids)).map(({ id, open }) => [id, open]))
        // Of these an older build has advanced the revision alone: the same revision brings the state that is missing.
        await tx.$executeRaw`
          UPDATE client_links SET revision = revision - 1 WHERE id = ANY (${ids}::bigint[]) AND state_revision IS DISTINCT FROM revision`
        await keepNewest(tx, 'client_links', links.map(rowOf))
        const changed = (await lockAll(tx, ids)).filter(({ id, open }) => before.has(id) && before.get(id) !== open)
        const changedIds = new Set(changed.map(({ id }) => id))
        if (changedIds.size > 0) {
          await follow(
            tx,
            links.filter(({ id }) => changedIds.has(id)),
          )
        }
      }),

    forgetLinks: () => forgetRevisions(db, 'client_links', 'state_revision'),
  }
}

const rowOf = ({ customerId, clientId, state, revision, id }: CopiedLink) => ({
  id,
  customer_id: customerId,
  client_id: clientId,
  linked: state === 'active',
  state,
  state_revision: revision,
  revision,
})

export type LinkRepository = ReturnType<typeof linkRepository>
