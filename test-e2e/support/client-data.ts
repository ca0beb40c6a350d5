import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auth } from '@caseway/auth/wiring'
import { casesAndCounters } from '@caseway/cases-and-counters/wiring'
import { partner } from '@caseway/partner/wiring'
import { grpcAddressVariable, serviceNames } from '@caseway/registry'
import type { HttpAnswer, HttpClient } from '@caseway/testing'
import { type ScimServer, scimServer } from '@caseway/testing/scim-server'
import { standaloneService } from '@caseway/testing/standalone-service'

export const address = () => `${randomUUID().slice(0, 18)}@client.test`

export interface ClientOf {
  readonly id: bigint
  readonly external: string
  readonly email: string
  readonly offices: readonly bigint[]
}

export interface Given {
  /** Number of offices. */
  readonly offices?: number
  /** Number of cards at each office. */
  readonly cards?: number
  /** The id by which the external platform knows them. */
  readonly external?: string
}

/** auth, cases-and-counters and partner, each with a database of its own, and a single sign-on system. */
export async function clientDataPlatform({ sso = true } = {}) {
  const home = await mkdtemp(join(tmpdir(), 'caseway-partner-'))
  const scim: ScimServer = await scimServer()
  const accounts = await standaloneService(auth, { variables: { CASEWAY_HOME: home } })
  const jwks = { JWKS_URL: `${accounts.service.httpUrl}/.well-known/jwks.json` }
  // Nothing answers at the addresses of other services.
  const nobody = Object.fromEntries(serviceNames.map((name) => [grpcAddressVariable(name), 'ipv4:127.0.0.1:1']))
  const peers = { ...nobody, ...jwks, [grpcAddressVariable('auth')]: accounts.service.grpcAddress }
  const cases = await standaloneService(casesAndCounters, { variables: peers })
  const ofCases = { [grpcAddressVariable('cases-and-counters')]: cases.service.grpcAddress }
  const single: Record<string, string> = sso ? { SSO_URL: scim.url, SSO_TOKEN: 'sso-token' } : {}
  const running = await standaloneService(partner, { variables: { ...peers, ...ofCases, ...single } })
  const { administration } = accounts.service

  const technical = async (): Promise<HttpClient> => {
    const clientId = randomUUID()
    const { secret } = await administration.createApplication(clientId, 'technical', 'The accounting platform')
    const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
    const { body } = await accounts.http('expert').post<{ access_token: string }>('/token', grant)
    return running.http('expert', body.access_token)
  }
  const platform = await technical()

  const person = () => ({ firstname: 'Ada', lastname: 'Nowak', email: address(), password: randomUUID() })
  const office = async () => (await administration.createOffice({ name: 'Office', timeZone: 'Europe/Warsaw' }, person())).customerId

  const client = async ({ offices: count = 1, cards = 1, external = randomUUID() }: Given = {}): Promise<ClientOf> => {
    const entered = person()
    const offices = await Promise.all(Array.from({ length: count }, office))
    const [first = 0n, ...others] = offices
    const id = await administration.createClient(first, entered)
    for (const customerId of others) await administration.linkClient(id, customerId)
    await administration.identifyClient(id, external)
    const insert = `
      INSERT INTO issue_initiators (customer_id, first_name, last_name, email, company_name, user_client_id)
      SELECT office, 'Ada', 'Nowak', $1, 'Nowak Ltd', $2 FROM unnest($3::bigint[]) AS office, generate_series(1, $4)`
    await cases.database.rows(insert, [entered.email, id, offices, cards])
    await scim.put({
      ...{ id: external, userName: entered.email, name: { givenName: 'Ada', familyName: 'Nowak' } },
      emails: [{ value: entered.email, primary: true }, { value: `other-${entered.email}` }],
    })
    return { id, external, email: entered.email, offices }
  }

  return {
    ...{ scim, accounts, cases, partner: running, technical, office, client },

    /** Sends a change as the technical account. */
    post: (fields: object, headers = {}): Promise<HttpAnswer<unknown>> =>
      platform.post('/partner_client_data', { PartnerClientData: fields }, headers),

    /** The data of a client in the account, on the cards, and in the single sign-on system. */
    async stateOf({ id, external }: ClientOf) {
      const [account] = await accounts.database.rows<Record<string, string | null>>(
        'SELECT email::text, firstname, lastname, company_name FROM clients WHERE id = $1',
        [id],
      )
      const cards = await cases.database.rows<Record<string, string | null>>(
        'SELECT DISTINCT email, first_name, last_name, company_name FROM issue_initiators WHERE user_client_id = $1',
        [id],
      )
      const person = await scim.user(external)
      return {
        account,
        cards,
        person: person && { userName: person.userName, name: person.name, emails: person.emails?.map(({ value }) => value) },
      }
    },

    async stop() {
      // It may be down after a failed test.
      await scim.release().catch(() => undefined)
      for (const service of [running, cases, accounts]) await service.stop()
      await scim.stop()
      await rm(home, { recursive: true })
    },
  }
}

export type ClientDataPlatform = Awaited<ReturnType<typeof clientDataPlatform>>

interface Names {
  readonly firstname?: string
  readonly lastname?: string
  /** The company of the account; cards have one from the beginning. */
  readonly company?: string | null
}

/** The expected data of a client: all old, or all new. @param before the data with which the client was created */
export const stateWith = (
  before: ClientOf,
  { email = before.email, firstname = 'Ada', lastname = 'Nowak', company }: Names & { email?: string } = {},
) => ({
  account: { email, firstname, lastname, company_name: company ?? null },
  cards: [{ email, first_name: firstname, last_name: lastname, company_name: company === undefined ? 'Nowak Ltd' : company }],
  person: { userName: email, name: { givenName: firstname, familyName: lastname }, emails: [email, `other-${before.email}`] },
})
