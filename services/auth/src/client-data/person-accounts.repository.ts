import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import { clientTopic, userTopic } from '@caseway/protos/topics'
import { clientEvent } from '../clients/client-event.js'
import { accountByAddress, type Db, type Tx } from '../database.js'
import type { Client, ClientLink, User } from '../generated/client.js'
import { userEvent } from '../users/user-event.js'
import { type Card, type ClientData, type ClientDataChanges, dataOf, namesIn, type OfficesOfClient } from './client-data.js'
import { addressIsReserved, emailTakenByClient, emailTakenByUser } from './client-data-errors.js'

/** The accounts of one person. */
export interface PersonAccounts {
  readonly client: Client
  /** The account of the same person as an employee. */
  readonly employee: User | null
}

const sameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Locks and changes the accounts of one person. Writes in the scope of the platform, because accounts belong to no office. */
export const personAccounts = (db: Db, offices: OfficesOfClient) => {
  /** The active links of a client, the oldest first. */
  const linksOf = (userClientId: Id): Promise<ClientLink[]> =>
    db.read(platform).clientLink.findMany({ where: { userClientId, state: 'active' }, orderBy: { id: 'asc' } })

  const lockClient = async (tx: Tx, id: Id): Promise<Client> => {
    const [, client] = await Promise.all([
      tx.$queryRaw`SELECT FROM clients WHERE id = ${id} FOR UPDATE`,
      tx.client.findFirstOrThrow({ where: { id } }),
    ])
    return client
  }

  /**
   * The employee with the same address, at an office that the client is attached to. Null while the client has no password: only the link of a mail proves
   * that the address is theirs, and without that proof whoever enters an employee's address as a client's could change the employee's login.
   */
  const lockEmployee = async (tx: Tx, { id, email, passwordHash }: Client): Promise<User | null> => {
    const [found] = passwordHash === null ? [] : await db.query(platform, accountByAddress.user(email))
    if (!found) return null
    const [, employee] = await Promise.all([
      tx.$queryRaw`SELECT FROM users WHERE id = ${found.id} FOR UPDATE`,
      tx.user.findFirst({ where: { id: found.id } }),
    ])
    const attached = employee && { customerId: employee.customerId, userClientId: id, state: 'active' }
    return attached && (await tx.clientLink.findFirst({ where: attached })) ? employee : null
  }

  /**
   * Checks that the address is free, and locks it.
   * @returns the hash by which it is reserved
   * @throws AppError `forbidden` when somebody has it; `conflict` ADDRESS_RESERVED while another change has reserved it
   */
  const takeAddress = async (tx: Tx, email: string, { client, employee }: PersonAccounts) => {
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

  /** A name that is not sent is confirmed with its present value, which may come from the cards. */
  const confirmedNames = (client: Client, cards: readonly Card[], names: Partial<Pick<ClientData, 'firstname' | 'lastname'>>) => {
    if (Object.keys(names).length === 0) return {}
    const { firstname, lastname } = dataOf(client, cards)
    return { firstname, lastname, ...names, namesConfirmed: new Date() }
  }

  /** Changes and publishes the account, and the cards that the offices keep of it. */
  const changeClient = async (tx: Tx, client: Client, cards: readonly Card[], { email, companyName, ...changes }: ClientDataChanges) => {
    const { id } = client
    const names = namesIn(changes)
    const confirmed = confirmedNames(client, cards, names)
    const company = companyName === undefined ? {} : { companyName: companyName || null }
    const data = { ...confirmed, ...company, ...(email !== undefined && { email }) }
    const changed = await tx.client.update({ where: { id }, data })
    const card = { ...names, ...company }
    await Promise.all([
      outbox(tx, clientTopic, clientEvent(changed)),
      Object.keys(card).length > 0 ? offices.changeCards(id, card) : undefined,
    ])
    if (email !== undefined) await offices.publishAll(id)
  }

  const changeEmployee = async (tx: Tx, id: Id, { email, ...changes }: ClientDataChanges) => {
    const data = { ...namesIn(changes), ...(email !== undefined && { email }) }
    if (Object.keys(data).length > 0) await outbox(tx, userTopic, userEvent(await tx.user.update({ where: { id }, data })))
  }

  return { linksOf, lockClient, lockEmployee, takeAddress, changeClient, changeEmployee }
}
