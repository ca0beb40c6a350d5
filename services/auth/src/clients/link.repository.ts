import type { Client, Employee, Id, Subject } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import { forbidden, notFound, requireVersion } from '@caseway/kit/errors'
import { outbox, outboxAll } from '@caseway/kit/events'
import { clientTopic, linkTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import type { ClientLink, Client as StoredClient } from '../generated/client.js'
import { alreadyLinked } from './client-errors.js'
import { clientEvent, ownNames } from './client-event.js'
import { linkEvent } from './link-event.js'

/** The names and contact data that an office keeps of a client. */
export interface Card {
  readonly firstname: string
  readonly lastname: string
  readonly phone?: string | null
  readonly companyName?: string | null
}

/** What an office enters about a client. */
export interface NewLink extends Card {
  readonly banned?: boolean
}

interface Changes extends Partial<Card> {
  readonly banned?: boolean
  readonly state?: 'active' | 'invited' | 'ended'
  readonly erased?: false
  readonly invitedEmail?: string | null
}

/** The maximum size of a page. */
const maxInvitations = 1000

/** A card without names. */
export const unnamed = { firstname: '', lastname: '' }

/** Names a link of an office by its own id, or by the client's. */
export type LinkKey = { readonly id: Id } | { readonly userClientId: Id }

interface Hooks {
  /** Runs in the transaction in which a link is created, or changes its state or ban; `actor` is given where no caller does it. */
  readonly onChange: (link: ClientLink, actor?: Subject) => Promise<void>
  /** Runs in the transaction in which an office lifts its ban. */
  readonly onUnbanned: (link: ClientLink) => Promise<void>
}

/** Writes in the scope of the platform, because each change of a link publishes the address of the account, which belongs to no office. */
export const linkRepository = (db: Db, { onChange, onUnbanned }: Hooks) => {
  const store = async (tx: Tx, link: ClientLink, changes: Changes, actor?: Subject) => {
    const changed = await tx.clientLink.update({ where: { id: link.id }, data: changes })
    if (changed.version !== link.version) await publish(tx, changed, link.state === 'ended')
    if (changed.state !== link.state || changed.banned !== link.banned) await onChange(changed, actor)
    return changed
  }
  const publish = async (tx: Tx, link: ClientLink, hadEnded = false) => {
    const { email } = await tx.client.findFirstOrThrow({ where: { id: link.userClientId } })
    await outbox(tx, linkTopic, linkEvent(link, email, hadEnded))
  }

  /** Changes and publishes the active links of a client. */
  const changeAll = (userClientId: Id, data: Partial<NewLink> | { userClientId: Id }): Promise<void> =>
    db.write(platform, async (tx) => {
      const [links, { email }] = await Promise.all([
        tx.clientLink.updateManyAndReturn({ where: { userClientId, state: 'active' }, data }),
        tx.client.findFirstOrThrow({ where: { id: userClientId } }),
      ])
      await outboxAll(
        tx,
        linkTopic,
        links.map((link) => linkEvent(link, email)),
      )
    })

  /** Reads a link and locks it until the transaction ends. */
  const locked = async (tx: Tx, customerId: Id, userClientId: Id) => {
    await tx.$queryRaw`SELECT FROM client_links WHERE customer_id = ${customerId} AND user_client_id = ${userClientId} FOR UPDATE`
    return tx.clientLink.findFirst({ where: { customerId, userClientId } })
  }

  /**
   * Creates the link of a client and an office, or reopens it. An invitation replaces the names on the card; a client's own names are only used where the
   * card is empty.
   * @returns its id
   * @throws AppError `conflict` when they are linked already
   */
  const open = async (
    tx: Tx,
    customerId: Id,
    { id: userClientId, email }: StoredClient,
    state: 'active' | 'invited',
    card: Partial<NewLink>,
  ) => {
    const invitedEmail = state === 'invited' ? email : null
    const data = { customerId, userClientId, state, invitedEmail, ...unnamed, ...card }
    const [created] = await tx.clientLink.createManyAndReturn({ data: [data], skipDuplicates: true })
    if (created) {
      await publish(tx, created)
      await onChange(created)
      return created.id
    }
    const link = await locked(tx, customerId, userClientId)
    if (!link || link.state === 'active' || link.state === state) throw alreadyLinked()
    const named = state === 'invited' ? { banned: false, ...card } : filled(link, card)
    return (await store(tx, link, { ...named, state, invitedEmail, erased: false })).id
  }

  /** The client's own names, if the card is empty: they were invited by address only, or were erased. */
  const filled = ({ firstname, lastname, phone }: ClientLink, card: Partial<NewLink>): Partial<NewLink> =>
    firstname || lastname || phone ? {} : card

  /** Reads an account and locks it until the transaction ends. Everywhere accounts are locked before their links. */
  const lockedAccount = async (tx: Tx, id: Id) => {
    await tx.$queryRaw`SELECT FROM clients WHERE id = ${id} FOR UPDATE`
    return tx.client.findFirstOrThrow({ where: { id } })
  }

  /** Accepting an invitation confirms the names in it, unless the account has names. */
  const confirmed = async (tx: Tx, account: StoredClient, link: ClientLink | null): Promise<StoredClient> => {
    const own = ownNames(account)
    if (own.firstname || own.lastname || link?.state !== 'invited' || !(link.firstname || link.lastname)) return account
    const { firstname, lastname, phone } = link
    const data = { firstname, lastname, phone: own.phone ?? phone, namesConfirmed: new Date() }
    const changed = await tx.client.update({ where: { id: account.id }, data })
    await outbox(tx, clientTopic, clientEvent(changed))
    return changed
  }

  return {
    /** The invitations that a client may accept, the oldest first. */
    invitations: ({ userId: userClientId }: Client) => {
      const where = { userClientId, state: 'invited', banned: false }
      return db
        .read(platform)
        .clientLink.findMany({ where, select: { id: true, customerId: true }, orderBy: { id: 'asc' }, take: maxInvitations })
    },

    /**
     * Links a client with an office on the client's behalf; an open invitation is accepted.
     * @returns the id of the link
     * @throws AppError `forbidden` when the office bans them, `conflict` when they are linked already
     */
    accept: (userId: Id, customerId: Id): Promise<Id> =>
      db.write(platform, async (tx) => {
        const account = await lockedAccount(tx, userId)
        const link = await locked(tx, customerId, userId)
        if (link?.banned) throw forbidden()
        const named = await confirmed(tx, account, link)
        return open(tx, customerId, named, 'active', ownNames(named))
      }),

    /** Accepts an invitation. Does nothing if the office has withdrawn it, or bans the client. Joins the running transaction. */
    acceptInvitation: (userId: Id, customerId: Id): Promise<void> =>
      db.write(platform, async (tx) => {
        const account = await lockedAccount(tx, userId)
        const link = await locked(tx, customerId, userId)
        if (link?.state !== 'invited' || link.banned) return
        const card = filled(link, ownNames(await confirmed(tx, account, link)))
        await store(tx, link, { ...card, state: 'active', invitedEmail: null }, { kind: 'client', id: userId })
      }),

    /**
     * Links a new account at once, and invites a client who has an account already.
     * @throws AppError `conflict` when they are linked or invited already
     */
    enter: (customerId: Id, account: StoredClient, isNew: boolean, card: Partial<NewLink>): Promise<Id> =>
      db.write(platform, (tx) => open(tx, customerId, account, isNew ? 'active' : 'invited', card)),

    /** Publishes each active link of a client in a new version, because their address has changed. Joins the running transaction. */
    publishAll: (userClientId: Id): Promise<void> => changeAll(userClientId, { userClientId }),

    /** Changes the cards of all offices that a client is attached to. Joins the running transaction. */
    changeCards: (userClientId: Id, card: Partial<NewLink>): Promise<void> => changeAll(userClientId, card),

    /** Changes a link that has not ended. @throws AppError `not-found`, `stale` */
    change: ({ customerId }: Pick<Employee, 'customerId'>, key: LinkKey, changes: Changes, expected?: number): Promise<void> =>
      db.write(platform, async (tx) => {
        const found = await tx.clientLink.findFirst({ where: { ...key, customerId } })
        const link = found && (await locked(tx, customerId, found.userClientId))
        if (!link || link.state === 'ended') throw notFound()
        requireVersion(link, expected)
        const changed = await store(tx, link, changes)
        if (link.banned && !changed.banned) await onUnbanned(changed)
      }),

    /** Ends a link on the client's behalf. @throws AppError `not-found` when it is not the caller's, not active, or banned; `stale` */
    leave: ({ userId }: Client, id: Id, expected?: number): Promise<void> =>
      db.write(platform, async (tx) => {
        const found = await tx.clientLink.findFirst({ where: { id, userClientId: userId } })
        const link = found && (await locked(tx, found.customerId, userId))
        if (link?.state !== 'active' || link.banned) throw notFound()
        requireVersion(link, expected)
        await store(tx, link, { state: 'ended' })
      }),
  }
}

export type LinkRepository = ReturnType<typeof linkRepository>
