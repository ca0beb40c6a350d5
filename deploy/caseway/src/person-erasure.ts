import type { Id } from '@caseway/kit/caller'
import { erasePerson, type Person } from '@caseway/kit/person-data'
import { serviceNames } from '@caseway/registry'
import { type Auth, type Cases, inServices, openAuth, openCases, using } from './services.js'

type Found = Awaited<ReturnType<Auth['administration']['clientToErase']>>
type Contact = Awaited<ReturnType<Cases['administration']['contactsOf']>>[number]

const said = (...texts: readonly (string | null | undefined)[]): string[] => [...new Set(texts.filter((text) => !!text) as string[])]

/** The names, addresses and phones by which an office knows the person. */
function personAt(customerId: Id, { account, links, erasesAccount }: Found, contacts: readonly Contact[]): Person {
  const cards = links.filter((link) => link.customerId === customerId)
  const own = [account, ...cards]
  return {
    ...{ customerId, clientId: account.id, account: erasesAccount, externalUserId: account.externalUserId },
    emails: said(account.email, ...contacts.map(({ email }) => email)),
    phones: said(...own.map(({ phone }) => phone), ...contacts.map(({ phone }) => phone)),
    names: [
      ...own.map(({ firstname, lastname }) => ({ first: firstname, last: lastname })),
      ...contacts.map(({ firstName, lastName }) => ({ first: firstName, last: lastName })),
    ],
    companies: said(...own.map(({ companyName }) => companyName), ...contacts.map(({ companyName }) => companyName)),
  }
}

/** The services in which the person is looked up: business cards contain addresses and names that the account does not have. */
const knowing: readonly string[] = ['cases-and-counters', 'auth']

/**
 * Erases a client in the tables of every service. The services in `knowing` come last, auth after the business cards, so that an interrupted command
 * can be repeated and still finds the names.
 * @throws AppError `not-found`; `conflict` while the data of the client are being changed
 */
export async function erasePersonEverywhere(env: NodeJS.ProcessEnv, client: Id, office: Id | undefined, progress: (text: string) => void) {
  const found = await using(openAuth(env), ({ administration }) => administration.clientToErase(client, office))
  const offices = found.links.map(({ customerId }) => customerId)
  const people = await using(openCases(env), async ({ administration }) => {
    const emails = [found.account.email.toLowerCase()]
    const asked = offices.map(async (customerId) =>
      personAt(customerId, found, await administration.contactsOf({ customerId, clientId: client, emails })),
    )
    return Promise.all(asked)
  })
  const eraseIn = async (names: readonly string[]) => {
    const counts = await inServices(env, names, async ({ db }, { name, tables }) => {
      let rows = 0
      for (const person of people) rows += await erasePerson(db, tables, person)
      progress(`${name}: ${rows} rows`)
      return rows
    })
    return counts.reduce((sum, rows) => sum + rows, 0)
  }
  let rows = await eraseIn(serviceNames.filter((name) => !knowing.includes(name)))
  rows += await eraseIn(['cases-and-counters'])
  const account = await using(openAuth(env), ({ administration }) => administration.eraseClient(client, offices))
  return { offices, account, rows: rows + (await eraseIn(['auth'])) }
}
