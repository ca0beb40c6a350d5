import type { Client, Id } from '@caseway/kit/caller'
import { invalid } from '@caseway/kit/errors'
import type { Copy } from '@caseway/kit/events'
import { linkEnded, noSuchRecord } from '../errors.js'
import type { Directory, LinkState } from './directory.js'
import type { LinkRepository } from './link.repository.js'
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
export const peopleService = (copies: PeopleRepository, links: LinkRepository, directory: Directory, defaultTimeZone: string) => {
  const hasUser = async ({ customerId }: Office, id: Id) => (await copies.hasUser(customerId, id)) || directory.hasUser(customerId, id)
  /** What auth knows of a link before its event has come is kept at once: the copy is what decides. */
  const stateOfLink = async ({ customerId }: Office, clientId: Id): Promise<LinkState | undefined> => {
    if (await links.isLinked(customerId, clientId)) return 'active'
    const link = await directory.link(customerId, clientId)
    if (link?.state === 'active') await links.keepLinks([link])
    return link?.state
  }
  const isLinked = async (office: Office, clientId: Id) => (await stateOfLink(office, clientId)) === 'active'

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

    /** The office that a client means: the one they name, or their only one. */
    async officeOf(client: Client, named: Id | undefined): Promise<Id> {
      if (named !== undefined) {
        const state = await stateOfLink({ customerId: named }, client.userId)
        if (state === 'ended') throw linkEnded()
        if (state !== 'active') throw noSuchRecord(['customer_id'])
        return named
      }
      const [only, ...others] = await links.officesOf(client)
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
    keepLinks: links.keepLinks,

    /** How the copies are filled before the first event. */
    copies: [
      copyOf('customers', () => directory.customers(), copies.keepCustomers, copies.forgetCustomers),
      copyOf('users', () => directory.users(), copies.keepUsers, copies.forgetUsers),
      copyOf('client_links', () => directory.links(), links.keepLinks, links.forgetLinks),
    ],
  }
}

const copyOf = <Row>(
  name: string,
  pages: () => AsyncIterable<Row[]>,
  keep: (rows: Row[]) => Promise<unknown>,
  forget: () => Promise<unknown>,
): Copy<unknown, unknown> => ({
  name,
  pages,
  forget,
  store: (_tx, page) => keep(page as Row[]),
})

export type PeopleService = ReturnType<typeof peopleService>
