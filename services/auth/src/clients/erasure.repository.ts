import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import { conflict, notFound } from '@caseway/kit/errors'
import { outbox } from '@caseway/kit/events'
import { clientTopic, linkTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import type { ClientLink } from '../generated/client.js'
import { clientEvent } from './client-event.js'
import { linkEvent } from './link-event.js'

const nobody = { firstname: '', lastname: '', phone: null, companyName: null, invitedEmail: null }

const changeUnderWay = () =>
  conflict('CLIENT_DATA_CHANGING', 'The accounting platform is changing the data of this client: try again when it has.')

/** The erasure of clients: each link, and the account with the last link. Writes in the scope of the platform, because accounts belong to no office. */
export const erasureRepository = (db: Db) => {
  const locked = async (tx: Tx, id: Id) => {
    await tx.$queryRaw`SELECT FROM clients WHERE id = ${id} FOR UPDATE`
    return tx.client.findFirst({ where: { id } })
  }

  const eraseLink = async (tx: Tx, { id, state }: ClientLink) => {
    const erased = await tx.clientLink.update({ where: { id }, data: { ...nobody, state: 'ended', erased: true } })
    await outbox(tx, linkTopic, linkEvent(erased, '', state === 'ended'))
  }

  return {
    /**
     * Finds what auth stores about a client, before it is erased: the account, and the links with all offices, or with the given one. `erasesAccount` says
     * whether these are all links, so that the account is erased as well.
     * @throws AppError `not-found`
     */
    async find(id: Id, customerId: Id | undefined) {
      const account = await db.read(platform).client.findFirst({ where: { id } })
      const links = await db.read(platform).clientLink.findMany({ where: { userClientId: id, erased: false }, orderBy: { id: 'asc' } })
      const affected = links.filter((link) => customerId === undefined || link.customerId === customerId)
      if (!account || (customerId !== undefined && affected.length === 0)) throw notFound()
      return { account, links: affected, erasesAccount: affected.length === links.length }
    },

    /**
     * Erases the links with these offices, and the account if no other office has a link with it. `then` runs in the same transaction, with the account if
     * it is erased.
     * @returns whether the account was erased
     * @throws AppError `conflict` while the accounting platform changes the client's data; `not-found`
     */
    erase: (
      id: Id,
      customerIds: readonly Id[],
      then: (erased: { readonly email: string } | undefined) => Promise<void>,
    ): Promise<boolean> =>
      db.write(platform, async (tx) => {
        const account = await locked(tx, id)
        if (!account) throw notFound()
        if (await tx.clientDataChange.findFirst({ where: { userClientId: id, state: 'reserved' } })) throw changeUnderWay()
        const links = await tx.clientLink.findMany({ where: { userClientId: id, erased: false } })
        for (const link of links) if (customerIds.includes(link.customerId)) await eraseLink(tx, link)
        const erasesAccount = links.every(({ customerId }) => customerIds.includes(customerId))
        if (erasesAccount) {
          const forgotten = { ...account, email: '', firstname: '', lastname: '', phone: null, version: account.version + 1 }
          await outbox(tx, clientTopic, clientEvent(forgotten))
          await then(account)
          await tx.client.delete({ where: { id } })
        } else await then(undefined)
        return erasesAccount
      }),
  }
}

export type ErasureRepository = ReturnType<typeof erasureRepository>
