import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'
import type { Client, ClientDataChange, ClientLink } from '../generated/client.js'
import { type Card, type ClientDataChanges, dataOf, differing, type OfficesOfClient, type Reservation } from './client-data.js'
import { changeHasEnded, clientUserNotFound } from './client-data-errors.js'
import { type PersonAccounts, personAccounts } from './person-accounts.repository.js'

/** The accounts as they were before a change. */
interface Before extends PersonAccounts {
  /** The office with the oldest active link; null when the last link has ended meanwhile. */
  readonly officeId: Id | null
}

const reservationOf = (client: Client, cards: readonly Card[], wanted: ClientDataChanges): Reservation => {
  const data = dataOf(client, cards)
  return { clientId: client.id, data, changes: differing(data, wanted) }
}

/** The office with the oldest active link; null if every office has banned the client or ended the link. */
const officeOf = (links: readonly ClientLink[]): Id | null => links.find(({ banned }) => !banned)?.customerId ?? null

const officesOf = (links: readonly ClientLink[]): Id[] => links.map(({ customerId }) => customerId)

/** Writes in the scope of the platform, because accounts and reservations belong to no office. */
export const clientDataRepository = (db: Db, offices: OfficesOfClient) => {
  const accounts = personAccounts(db, offices)

  /** @throws AppError `not-found` when there is no client, or every office has banned them or ended the link */
  const found = async (client: Client | null): Promise<{ client: Client; links: ClientLink[] }> => {
    const links = client ? await accounts.linksOf(client.id) : []
    if (!client || officeOf(links) === null) throw clientUserNotFound()
    return { client, links }
  }

  const lockChange = async (tx: Tx, id: string): Promise<ClientDataChange | null> => {
    const [, change] = await Promise.all([
      tx.$queryRaw`SELECT FROM client_data_changes WHERE id = ${id}::uuid FOR UPDATE`,
      tx.clientDataChange.findFirst({ where: { id } }),
    ])
    return change
  }

  const lockClientOf = async (tx: Tx, externalUserId: string): Promise<Client | null> => {
    const [, client] = await Promise.all([
      tx.$queryRaw`SELECT FROM clients WHERE external_user_id = ${externalUserId} FOR UPDATE`,
      tx.client.findFirst({ where: { externalUserId } }),
    ])
    return client
  }

  return {
    /** The data of the client, and which of the changes would differ from it. @throws AppError `not-found` */
    async get(externalUserId: string, wanted: ClientDataChanges): Promise<Reservation> {
      const { client, links } = await found(await db.read(platform).client.findFirst({ where: { externalUserId } }))
      return reservationOf(client, links, wanted)
    },

    /**
     * Reserves what a change needs; idempotent by its id. Reserves nothing if no field differs.
     * @throws AppError `not-found`; `forbidden` when somebody has the address; `conflict` ADDRESS_RESERVED while another change has reserved it,
     *   CHANGE_ENDED when this one was applied or released
     */
    reserve: (id: string, externalUserId: string, wanted: ClientDataChanges): Promise<Reservation> =>
      db.write(platform, async (tx) => {
        const [known, locked] = await Promise.all([lockChange(tx, id), lockClientOf(tx, externalUserId)])
        if (known && known.state !== 'reserved') throw changeHasEnded()
        const { client, links } = await found(locked)
        const reservation = reservationOf(client, links, wanted)
        if (known || Object.keys(reservation.changes).length === 0) return reservation
        const employee = await accounts.lockEmployee(tx, client)
        const { email } = reservation.changes
        const address = email === undefined ? null : await accounts.takeAddress(tx, email, { client, employee })
        await tx.clientDataChange.create({
          data: { id, state: 'reserved', userClientId: client.id, userId: employee?.id ?? null, address },
        })
        return reservation
      }),

    /**
     * Applies a reserved change; idempotent. `then` runs in its transaction, the first time only.
     * @returns the offices that the client is attached to
     * @throws AppError `conflict` when nothing is reserved
     */
    apply: (id: string, changes: ClientDataChanges, then: (before: Before) => Promise<void>): Promise<Id[]> =>
      db.write(platform, async (tx) => {
        const change = await lockChange(tx, id)
        if (!change?.userClientId || change.state === 'released') throw changeHasEnded()
        const { userClientId } = change
        if (change.state === 'applied') return officesOf(await accounts.linksOf(userClientId))
        const [client, links] = await Promise.all([accounts.lockClient(tx, userClientId), accounts.linksOf(userClientId)])
        const employee = change.userId === null ? null : await tx.user.findFirst({ where: { id: change.userId } })
        await Promise.all([
          accounts.changeClient(tx, client, links, changes),
          tx.clientDataChange.update({ where: { id }, data: { state: 'applied', ended: new Date() } }),
        ])
        if (employee) await accounts.changeEmployee(tx, employee.id, changes)
        await then({ client, employee, officeId: officeOf(links) })
        return officesOf(links)
      }),

    /** Releases a reservation. A `reserve` that arrives after its release is refused. */
    release: (id: string): Promise<void> =>
      db.write(platform, async (tx) => {
        const data = { state: 'released', ended: new Date() }
        await tx.clientDataChange.createMany({ data: [{ id, ...data }], skipDuplicates: true })
        await tx.clientDataChange.updateMany({ where: { id, state: 'reserved' }, data })
      }),
  }
}

export type ClientDataRepository = ReturnType<typeof clientDataRepository>
