import type { Client, Id } from '@caseway/kit/caller'
import { invalid } from '@caseway/kit/errors'
import type { Copy } from '@caseway/kit/events'
import { noSuchRecord } from '../errors.js'
import type { Directory } from './directory.js'
import type { PeopleRepository } from './people.repository.js'

/** Ids by the fields that carry them; a field without one points at nobody. */
type Fields = Readonly<Record<string, Id | null | undefined>>

export interface References {
  readonly users?: Fields
  readonly clients?: Fields
}

export interface Office {
  readonly customerId: Id
}

/** Who belongs to which office: by our copies, and where these say no, by auth, which may already know more. */
export const peopleService = (copies: PeopleRepository, directory: Directory, defaultTimeZone: string) => {
  const hasUser = async ({ customerId }: Office, id: Id) => (await copies.hasUser(customerId, id)) || directory.hasUser(customerId, id)
  const isLinked = async ({ customerId }: Office, id: Id) => (await copies.isLinked(customerId, id)) || directory.isLinked(customerId, id)

  const without = async (office: Office, fields: Fields, belongs: typeof hasUser) => {
    const checked = Object.entries(fields).map(async ([field, id]) => (id == null || (await belongs(office, id)) ? [] : [field]))
    return (await Promise.all(checked)).flat()
  }

  return {
    /** The fields that point at nobody of the office. */
    async missing(office: Office, { users = {}, clients = {} }: References): Promise<string[]> {
      return [...(await without(office, users, hasUser)), ...(await without(office, clients, isLinked))]
    },

    async mustExist(office: Office, references: References): Promise<void> {
      const missing = await this.missing(office, references)
      if (missing.length > 0) throw noSuchRecord(missing)
    },

    /** The office that a client means: the one he names, or his only one. */
    async officeOf(client: Client, named: Id | undefined): Promise<Id> {
      if (named !== undefined) {
        if (!(await isLinked({ customerId: named }, client.userId))) throw noSuchRecord(['customer_id'])
        return named
      }
      const [only, ...others] = await copies.officesOf(client)
      if (only === undefined || others.length > 0) throw invalid({ customer_id: 'is required' })
      return only
    },

    /** Whether auth has told of this office. */
    async hasOffice(customerId: Id): Promise<boolean> {
      return (await copies.timeZoneOf(customerId)) !== undefined
    },

    async timeZoneOf(customerId: Id): Promise<string> {
      return (await copies.timeZoneOf(customerId)) ?? defaultTimeZone
    },

    keepUsers: copies.keepUsers,
    keepCustomers: copies.keepCustomers,
    keepLinks: copies.keepLinks,

    /** How the copies are filled before the first event. */
    copies: [
      copyOf('customers', () => directory.customers(), copies.keepCustomers),
      copyOf('users', () => directory.users(), copies.keepUsers),
      copyOf('links', () => directory.links(), copies.keepLinks),
    ],
  }
}

const copyOf = <Row>(name: string, pages: () => AsyncIterable<Row[]>, keep: (rows: Row[]) => Promise<unknown>): Copy<unknown, unknown> => ({
  name,
  pages,
  store: (_tx, page) => keep(page as Row[]),
})

export type PeopleService = ReturnType<typeof peopleService>
