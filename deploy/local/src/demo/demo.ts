import type { auth } from '@caseway/auth/wiring'
import { newPassword } from '@caseway/command/passwords'
import type { Audience, EmployeeRole, Id } from '@caseway/kit/caller'
import type { Home } from '../home.js'
import { type Account, type Addresses, type Demo, type DemoOffice, type DemoPeople, readDemo, writeDemo } from './demo-file.js'
import { clients, frontends, offices } from './plan.js'

type Administration = Awaited<ReturnType<typeof auth.start>>['administration']
type PlannedOffice = (typeof offices)[number]

/** Creates the missing parts of the demo, and writes the file for scripts. */
export async function ensureDemo(administration: Administration, home: Home, addresses: Addresses): Promise<Demo> {
  const demo = { ...addresses, ...(await ensurePeople(administration, readDemo(home))) }
  writeDemo(home, demo)
  return demo
}

async function ensurePeople(administration: Administration, known: Demo | undefined): Promise<DemoPeople> {
  const accounts = ensureAccounts(administration, passwordsOf(known))
  if (!(await administration.hasApplication(frontends.clientId))) {
    await administration.createApplication(frontends.clientId, 'first_party', frontends.name)
  }
  const made: DemoOffice[] = []
  for (const office of offices) {
    const people = await ensureOffice(accounts, administration, office)
    const technical = await ensureTechnical(administration, `${office.domain}/platform`, known)
    made.push({ ...people, name: office.name, time_zone: office.timeZone, technical })
  }
  const clientsMade: DemoPeople['clients'] = []
  for (const client of clients) {
    const customerIds = client.offices.map((index) => BigInt(made[index]?.customer_id ?? 0))
    const account = await ensureClient(accounts, administration, client, customerIds)
    clientsMade.push({ ...account, customer_ids: customerIds.map(String) })
  }
  return { client_id: frontends.clientId, offices: made, clients: clientsMade }
}

function passwordsOf(known: Demo | undefined): Map<string, string> {
  const accounts = [...(known?.offices.flatMap(({ accounts }) => Object.values(accounts)) ?? []), ...(known?.clients ?? [])]
  return new Map(accounts.map(({ username, password }) => [username, password]))
}

type Accounts = ReturnType<typeof ensureAccounts>

/** Creates missing accounts. An existing account keeps its password if that is known, and otherwise gets a new one. */
const ensureAccounts =
  (administration: Administration, passwords: ReadonlyMap<string, string>) =>
  async (audience: Audience, username: string, create: (password: string) => Promise<Id>) => {
    const account = await administration.accountOf(audience, username)
    const known = account && passwords.get(username)
    const password = known ?? newPassword()
    const id = account?.userId ?? (await create(password))
    if (account && known === undefined)
      await administration.setPassword({ kind: audience === 'client' ? 'client' : 'employee', id }, password)
    return { user_id: String(id), username, password, customerId: account?.customerId }
  }

async function ensureOffice(accounts: Accounts, administration: Administration, { name, timeZone, domain, people }: PlannedOffice) {
  let founded: Id | undefined
  const first = await accounts('expert', `administrator@${domain}`, async (password) => {
    const person = { ...people.administrator, email: `administrator@${domain}`, password }
    const { customerId, userId } = await administration.createOffice({ name, timeZone }, person)
    founded = customerId
    return userId
  })
  const customerId = (founded ?? first.customerId) as Id
  const colleague = async (role: EmployeeRole): Promise<Account> => {
    const email = `${role}@${domain}`
    const create = (password: string) => administration.createUser(customerId, { ...people[role], email, password, role })
    return shown(await accounts('expert', email, create))
  }
  return {
    customer_id: String(customerId),
    accounts: {
      administrator: shown(first),
      expert: await colleague('expert'),
      specialist: await colleague('specialist'),
      trainee: await colleague('trainee'),
    },
  }
}

const shown = ({ user_id, username, password }: Account): Account => ({ user_id, username, password })

async function ensureTechnical(administration: Administration, clientId: string, known: Demo | undefined) {
  const knownOffice = known?.offices.find(({ technical }) => technical.client_id === clientId)
  if (await administration.hasApplication(clientId)) {
    return { client_id: clientId, client_secret: knownOffice?.technical.client_secret ?? (await administration.renewSecret(clientId)) }
  }
  const { secret } = await administration.createApplication(clientId, 'technical', 'An accounting platform')
  return { client_id: clientId, client_secret: secret as string }
}

async function ensureClient(
  accounts: Accounts,
  administration: Administration,
  { offices: _, ...client }: (typeof clients)[number],
  [first, ...others]: Id[],
): Promise<Account> {
  const create = (password: string) => administration.createClient(first as Id, { ...client, password })
  const account = await accounts('client', client.email, create)
  for (const customerId of others) await administration.linkClient(BigInt(account.user_id), customerId)
  return shown(account)
}
