import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import type { Person } from '../accounts/account.js'
import { accountByAddress, type Db } from '../database.js'
import { type Language, languages, type Office, type Recipient } from './account-mail.js'

/** Reads in the scope of the platform, because a mail is sent for no caller. */
export const recipientRepository = (db: Db) => {
  const officeOf = async (id: Id | undefined): Promise<Office> => {
    const found = id === undefined ? null : await db.read(platform).customer.findFirst({ where: { id } })
    return { id: found?.id ?? null, name: found?.name ?? '', language: languageOf(found?.language) }
  }

  const employee = async (id: Id): Promise<Recipient | null> => {
    const found = await db.read(platform).user.findFirst({ where: { id } })
    if (!found) return null
    const { email, passwordHash, active, customerId } = found
    return { person: { kind: 'employee', id }, login: { email, passwordHash }, active, office: await officeOf(customerId) }
  }

  /** The language is that of the office with the client's oldest link. */
  const client = async (id: Id): Promise<Recipient | null> => {
    const found = await db.read(platform).client.findFirst({ where: { id } })
    if (!found) return null
    const { email, passwordHash } = found
    const where = { userClientId: id, state: { not: 'ended' }, banned: false }
    const link = await db.read(platform).clientLink.findFirst({ where, orderBy: { id: 'asc' } })
    return { person: { kind: 'client', id }, login: { email, passwordHash }, active: true, office: await officeOf(link?.customerId) }
  }

  const byId = ({ kind, id }: Person) => (kind === 'client' ? client(id) : employee(id))

  return {
    byId,
    async byLogin(kind: Person['kind'], email: string): Promise<Recipient | null> {
      const [found] = await db.query(platform, accountByAddress[kind === 'client' ? 'client' : 'user'](email))
      return found ? byId({ kind, id: found.id }) : null
    },
    officeOf,

    /** Null if the office has banned the client, or their link has ended. */
    linkOf: (userClientId: Id, customerId: Id): Promise<{ state: string } | null> => {
      const where = { userClientId, customerId, state: { not: 'ended' }, banned: false }
      return db.read(platform).clientLink.findFirst({ where, select: { state: true } })
    },
  }
}

const languageOf = (language = 'pl'): Language => languages.find((known) => known === language) ?? 'en'

export type RecipientRepository = ReturnType<typeof recipientRepository>
