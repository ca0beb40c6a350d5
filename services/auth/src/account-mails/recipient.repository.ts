import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import type { Person } from '../accounts/account.js'
import { accountByAddress, type Db } from '../database.js'
import { type Language, languages, type Office, type Recipient } from './account-mail.js'

/** Who is asking is not known: the platform reads whom a mail is for. */
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

  /** In the language of the office that they have dealt with for longest. */
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

    /** Null where the office bans the client, or deals with them no more. */
    linkOf: (userClientId: Id, customerId: Id): Promise<{ state: string } | null> => {
      const where = { userClientId, customerId, state: { not: 'ended' }, banned: false }
      return db.read(platform).clientLink.findFirst({ where, select: { state: true } })
    },
  }
}

const languageOf = (language = 'pl'): Language => languages.find((known) => known === language) ?? 'en'

export type RecipientRepository = ReturnType<typeof recipientRepository>
