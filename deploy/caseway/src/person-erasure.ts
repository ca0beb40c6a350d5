import type { Id } from '@caseway/kit/caller'
import { erasePerson, type Person } from '@caseway/kit/person-data'
import { type Auth, type Cases, inEveryService, openAuth, openCases, using } from './services.js'

type Found = Awaited<ReturnType<Auth['administration']['clientToErase']>>
type Contact = Awaited<ReturnType<Cases['administration']['contactsOf']>>[number]

const said = (...texts: readonly (string | null | undefined)[]): string[] => [...new Set(texts.filter((text) => !!text) as string[])]

/** Everything by which an office knows the person. */
function personAt(customerId: Id, { account, links, goesAsWell }: Found, contacts: readonly Contact[]): Person {
  const cards = links.filter((link) => link.customerId === customerId)
  const own = [account, ...cards]
  return {
    ...{ customerId, clientId: account.id, account: goesAsWell, externalUserId: account.externalUserId },
    emails: said(account.email, ...contacts.map(({ email }) => email)),
    phones: said(...own.map(({ phone }) => phone), ...contacts.map(({ phone }) => phone)),
    names: [
      ...own.map(({ firstname, lastname }) => ({ first: firstname, last: lastname })),
      ...contacts.map(({ firstName, lastName }) => ({ first: firstName, last: lastName })),
    ],
    companies: said(...own.map(({ companyName }) => companyName), ...contacts.map(({ companyName }) => companyName)),
  }
}

/** They know by what a person is found: the business cards say more addresses and names than the account. */
const knowing: readonly string[] = ['cases-and-counters', 'auth']

/**
 * Erases a client in the tables of every service. Those that know by what the person is found are the last, auth after the business cards: a command
 * that broke off is given again.
 * @throws AppError `not-found`, and `conflict` while their data are being changed
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
  const inServices = async (isMeant: (name: string) => boolean) => {
    const counts = await inEveryService(env, async ({ db }, { name, tables }) => {
      if (!isMeant(name)) return 0
      let rows = 0
      for (const person of people) rows += await erasePerson(db, tables, person)
      progress(`${name}: ${rows} rows`)
      return rows
    })
    return counts.reduce((sum, rows) => sum + rows, 0)
  }
  let rows = await inServices((name) => !knowing.includes(name))
  rows += await inServices((name) => name === 'cases-and-counters')
  const account = await using(openAuth(env), ({ administration }) => administration.eraseClient(client, offices))
  return { offices, account, rows: rows + (await inServices((name) => name === 'auth')) }
}
