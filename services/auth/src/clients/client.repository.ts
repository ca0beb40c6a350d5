import type { Employee, Id } from '@caseway/kit/caller'
import { onViolation, platform, resourceReads } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import { clientTopic } from '@caseway/protos/topics'
import { accountByAddress, type Db, onAddress, type Tx } from '../database.js'
import { type ClientChanges, clientResource } from './client.resource.js'
import { externalUserIdTaken, externalUserIdUsed } from './client-errors.js'
import { clientEvent } from './client-event.js'
import { type Card, type LinkRepository, type NewLink, unnamed } from './link.repository.js'

/** An address that an office enters; the other fields apply only where it gets a new account. */
export interface NewAccount {
  readonly email: string
  readonly passwordHash?: string
  readonly externalUserId?: string | null
  /** Whether the names are confirmed. Names that an office enters stay on its card until the person confirms them. */
  readonly confirmed?: boolean
}

interface Hooks {
  /** Runs in the transaction in which an account is created. */
  readonly onCreated: (customerId: Id, id: Id) => Promise<void>
  /** Runs in the transaction in which an office enters an address without a password. */
  readonly onEntered: (customerId: Id, id: Id) => Promise<void>
}

export const clientRepository = (db: Db, links: LinkRepository, { onCreated, onEntered }: Hooks) => {
  const { find: _, lock: __, ...reads } = resourceReads(db, clientResource)

  const dataOf = ({ email, passwordHash, externalUserId, confirmed }: NewAccount, { firstname, lastname, phone }: Card) => ({
    ...{ email, passwordHash, externalUserId: externalUserId ?? null },
    ...(confirmed ? { firstname, lastname, phone, namesConfirmed: new Date() } : unnamed),
  })

  /**
   * Finds or creates the account of an address. An address is one person, whichever offices enter it.
   * @throws AppError `invalid` when the id of the external platform is used, or the account is not new
   */
  const register = async (tx: Tx, account: NewAccount, card: Card) => {
    const [created] = await tx.client.createManyAndReturn({ data: [dataOf(account, card)], skipDuplicates: true })
    if (created) {
      await outbox(tx, clientTopic, clientEvent(created))
      return { account: created, isNew: true }
    }
    // The insert conflicted with the address or with the id of the external platform.
    const [found] = await db.query(platform, accountByAddress.client(account.email))
    const known = found && (await tx.client.findFirst({ where: { id: found.id } }))
    if (!known || account.externalUserId != null) throw externalUserIdTaken()
    return { account: known, isNew: false }
  }

  return {
    ...reads,

    /** Whether another account has the id of the external platform, or the address has an account already. */
    async isRefused(externalUserId: string, email?: string): Promise<boolean> {
      const used = await db.read(platform).client.findFirst({ where: { externalUserId }, select: { id: true } })
      const [known] = email === undefined ? [] : await db.query(platform, accountByAddress.client(email))
      return used !== null || known !== undefined
    },

    /**
     * Finds or creates the account, and links it with the office.
     * @throws AppError `conflict` when they are linked or invited already; `invalid` when the address is reserved, or the id of the external platform is used
     */
    enter: (customerId: Id, entered: NewAccount, given: Partial<NewLink> = {}) =>
      db
        .write(platform, async (tx) => {
          const { account, isNew } = await register(tx, entered, { ...unnamed, ...given })
          if (isNew) await onCreated(customerId, account.id)
          const linkId = await links.enter(customerId, account, isNew, given)
          if (entered.passwordHash === undefined) await onEntered(customerId, account.id)
          return { id: account.id, linkId }
        })
        .catch((error) => {
          throw onAddress(error, 'clients')
        }),

    /**
     * Sets the address that the person has confirmed. Joins the running transaction.
     * @throws AppError `invalid` when another account has it
     */
    setAddress: (id: Id, email: string): Promise<void> =>
      db
        .write(platform, async (tx) => {
          await outbox(tx, clientTopic, clientEvent(await tx.client.update({ where: { id }, data: { email } })))
          await links.publishAll(id)
        })
        .catch((error) => {
          throw onAddress(error, 'clients')
        }),

    /**
     * Sets the id by which the external platform knows an account; null removes it.
     * @throws AppError `invalid` when another account has it
     */
    identify: (id: Id, externalUserId: string | null): Promise<void> =>
      db
        .write(platform, async (tx) => {
          await outbox(tx, clientTopic, clientEvent(await tx.client.update({ where: { id }, data: { externalUserId } })))
          await links.publishAll(id)
        })
        .catch((error) => {
          throw onViolation(error, 'clients_external_user_id_key', externalUserIdUsed())
        }),

    change: (caller: Employee, id: Id, changes: ClientChanges, expected?: number) =>
      links.change(caller, { userClientId: id }, changes, expected),

    remove: (caller: Employee, id: Id, expected?: number) => links.change(caller, { userClientId: id }, { state: 'ended' }, expected),
  }
}

export type ClientRepository = ReturnType<typeof clientRepository>
