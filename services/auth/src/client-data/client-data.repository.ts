import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import type { Db, Tx } from '../database.js'
import type { Client, ClientDataChange } from '../generated/client.js'
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

/** Writes in the scope of the platform, because accounts and reservations belong to no office. */
export const clientDataRepository = (db: Db, offices: OfficesOfClient) => {
  const accounts = personAccounts(db, offices)

  /** The office with the oldest active link; null if every office has banned the client or ended the link. */
  const officeOf = async ({ id }: Client): Promise<Id | null> => {
    const where = { userClientId: id, state: 'active', banned: false }
    const link = await db.read(platform).clientLink.findFirst({ where, orderBy: { id: 'asc' }, select: { customerId: true } })
    return link?.customerId ?? null
  }

  const find = async (externalUserId: string): Promise<Client> => {
    const client = await db.read(platform).client.findFirst({ where: { externalUserId } })
    if (!client || (await officeOf(client)) === null) throw clientUserNotFound()
    return client
  }

  const lockChange = async (tx: Tx, id: string): Promise<ClientDataChange | null> => {
    await tx.$queryRaw`SELECT FROM client_data_changes WHERE id = ${id}::uuid FOR UPDATE`
    return tx.clientDataChange.findFirst({ where: { id } })
  }

  const officesOf = async (tx: Tx, userClientId: Id | null): Promise<Id[]> => {
    const attached = await tx.clientLink.findMany({ where: { userClientId: userClientId ?? 0n, state: 'active' }, orderBy: { id: 'asc' } })
    return attached.map(({ customerId }) => customerId)
  }

  return {
    /** The data of the client, and which of the changes would differ from it. @throws AppError `not-found` */
    async get(externalUserId: string, wanted: ClientDataChanges): Promise<Reservation> {
      const client = await find(externalUserId)
      return reservationOf(client, await accounts.cardsOf(client), wanted)
    },

    /**
     * Reserves what a change needs; idempotent by its id. Reserves nothing if no field differs.
     * @throws AppError `not-found`; `forbidden` when somebody has the address; `conflict` ADDRESS_RESERVED while another change has reserved it,
     *   CHANGE_ENDED when this one was applied or released
     */
    reserve: (id: string, externalUserId: string, wanted: ClientDataChanges): Promise<Reservation> =>
      db.write(platform, async (tx) => {
        const known = await lockChange(tx, id)
        if (known && known.state !== 'reserved') throw changeHasEnded()
        const client = await accounts.lockClient(tx, (await find(externalUserId)).id)
        const reservation = reservationOf(client, await accounts.cardsOf(client), wanted)
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
        if (change.state === 'reserved') {
          const client = await accounts.lockClient(tx, change.userClientId)
          const employee = change.userId === null ? null : await tx.user.findFirst({ where: { id: change.userId } })
          await accounts.changeClient(tx, client, changes)
          if (employee) await accounts.changeEmployee(tx, employee.id, changes)
          await then({ client, employee, officeId: await officeOf(client) })
          await tx.clientDataChange.update({ where: { id }, data: { state: 'applied', ended: new Date() } })
        }
        return officesOf(tx, change.userClientId)
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
