import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import { clientTopic, userTopic } from '@caseway/protos/topics'
import { clientEvent, ownNames } from '../clients/client-event.js'
import { accountByAddress, type Db, type Tx } from '../database.js'
import type { Client, ClientDataChange, User } from '../generated/client.js'
import { userEvent } from '../users/user-event.js'
import {
  type Card,
  type ClientData,
  type ClientDataChanges,
  differing,
  namesIn,
  type OfficesOfClient,
  type Reservation,
} from './client-data.js'
import { addressIsReserved, changeHasEnded, clientUserNotFound, emailTakenByClient, emailTakenByUser } from './client-data-errors.js'

/** The accounts as they were before a change. */
export interface ChangedAccounts {
  readonly client: Client
  /** The account of the same person as an employee. */
  readonly employee: User | null
}

interface Before extends ChangedAccounts {
  /** The office with the oldest active link; null when the last link has ended meanwhile. */
  readonly officeId: Id | null
}

/** The data of a client. What the account does not contain is taken from the cards, where all offices agree. */
function dataOf(client: Client, cards: readonly Card[]): ClientData {
  const agreed = (field: keyof Card): string => {
    const [known = '', ...others] = new Set(cards.map((card) => card[field] ?? ''))
    return others.length > 0 ? '' : known
  }
  const { email, companyName } = client
  const own = ownNames(client)
  const names = { firstname: own.firstname || agreed('firstname'), lastname: own.lastname || agreed('lastname') }
  return { email, ...names, companyName: companyName ?? agreed('companyName') }
}

const reservationOf = (client: Client, cards: readonly Card[], wanted: ClientDataChanges): Reservation => {
  const data = dataOf(client, cards)
  return { clientId: client.id, data, changes: differing(data, wanted) }
}

const sameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Writes in the scope of the platform, because accounts and reservations belong to no office. */
export const clientDataRepository = (db: Db, offices: OfficesOfClient) => {
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

  const cardsOf = ({ id }: Client): Promise<Card[]> =>
    db.read(platform).clientLink.findMany({ where: { userClientId: id, state: 'active' } })

  const lockClient = async (tx: Tx, id: Id): Promise<Client> => {
    await tx.$queryRaw`SELECT FROM clients WHERE id = ${id} FOR UPDATE`
    return tx.client.findFirstOrThrow({ where: { id } })
  }

  /**
   * The employee with the same address, at an office that the client is attached to. Null while the client has no password: only the link of a mail proves
   * that the address is theirs, and without that proof whoever enters an employee's address as a client's could change the employee's login.
   */
  const lockEmployee = async (tx: Tx, { id, email, passwordHash }: Client): Promise<User | null> => {
    const [found] = passwordHash === null ? [] : await db.query(platform, accountByAddress.user(email))
    if (!found) return null
    await tx.$queryRaw`SELECT FROM users WHERE id = ${found.id} FOR UPDATE`
    const employee = await tx.user.findFirst({ where: { id: found.id } })
    const attached = employee && { customerId: employee.customerId, userClientId: id, state: 'active' }
    return attached && (await tx.clientLink.findFirst({ where: attached })) ? employee : null
  }

  /**
   * Checks that the address is free, and locks it.
   * @returns the hash by which it is reserved
   * @throws AppError as `reserve`
   */
  const takeAddress = async (tx: Tx, email: string, { client, employee }: ChangedAccounts) => {
    const [locked] = await tx.$queryRaw<{ hash: Buffer<ArrayBuffer> }[]>`SELECT lock_address(${email}) AS hash`
    const hash = locked?.hash as Buffer<ArrayBuffer>
    if (sameAddress(email, client.email)) return hash
    const [user] = await db.query(platform, accountByAddress.user(email))
    if (user && user.id !== employee?.id) throw emailTakenByUser()
    const [another] = await db.query(platform, accountByAddress.client(email))
    if (another) throw emailTakenByClient()
    if (await tx.clientDataChange.findFirst({ where: { address: hash, state: 'reserved' } })) throw addressIsReserved()
    return hash
  }

  const lockChange = async (tx: Tx, id: string): Promise<ClientDataChange | null> => {
    await tx.$queryRaw`SELECT FROM client_data_changes WHERE id = ${id}::uuid FOR UPDATE`
    return tx.clientDataChange.findFirst({ where: { id } })
  }

  /** A name that is not sent is confirmed with its present value, which may come from the cards. */
  const confirmedNames = async (client: Client, names: Partial<Pick<ClientData, 'firstname' | 'lastname'>>) => {
    if (Object.keys(names).length === 0) return {}
    const { firstname, lastname } = dataOf(client, await cardsOf(client))
    return { firstname, lastname, ...names, namesConfirmed: new Date() }
  }

  const changeClient = async (tx: Tx, client: Client, { email, companyName, ...changes }: ClientDataChanges) => {
    const { id } = client
    const names = namesIn(changes)
    const confirmed = await confirmedNames(client, names)
    const company = companyName === undefined ? {} : { companyName: companyName || null }
    const data = { ...confirmed, ...company, ...(email !== undefined && { email }) }
    await outbox(tx, clientTopic, clientEvent(await tx.client.update({ where: { id }, data })))
    const card = { ...names, ...company }
    if (Object.keys(card).length > 0) await offices.changeCards(id, card)
    if (email !== undefined) await offices.publishAll(id)
  }

  const changeEmployee = async (tx: Tx, id: Id, { email, ...changes }: ClientDataChanges) => {
    const data = { ...namesIn(changes), ...(email !== undefined && { email }) }
    if (Object.keys(data).length > 0) await outbox(tx, userTopic, userEvent(await tx.user.update({ where: { id }, data })))
  }

  const officesOf = async (tx: Tx, userClientId: Id | null): Promise<Id[]> => {
    const attached = await tx.clientLink.findMany({ where: { userClientId: userClientId ?? 0n, state: 'active' }, orderBy: { id: 'asc' } })
    return attached.map(({ customerId }) => customerId)
  }

  return {
    /** The data of the client, and which of the changes would differ from it. @throws AppError `not-found` */
    async get(externalUserId: string, wanted: ClientDataChanges): Promise<Reservation> {
      const client = await find(externalUserId)
      return reservationOf(client, await cardsOf(client), wanted)
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
        const client = await lockClient(tx, (await find(externalUserId)).id)
        const reservation = reservationOf(client, await cardsOf(client), wanted)
        if (known || Object.keys(reservation.changes).length === 0) return reservation
        const employee = await lockEmployee(tx, client)
        const { email } = reservation.changes
        const address = email === undefined ? null : await takeAddress(tx, email, { client, employee })
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
          const client = await lockClient(tx, change.userClientId)
          const employee = change.userId === null ? null : await tx.user.findFirst({ where: { id: change.userId } })
          await changeClient(tx, client, changes)
          if (employee) await changeEmployee(tx, employee.id, changes)
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
