import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmployeeRole, Id } from '@caseway/kit/caller'
import type { HttpAnswer, HttpClient } from '@caseway/testing'
import { type StandaloneService, standaloneService } from '@caseway/testing/standalone-service'
import { auth } from '../../src/wiring.js'

export { clientUrl, defaultIssuer as issuer, expertUrl } from '@caseway/testing'

export type RunningAuth = Awaited<ReturnType<typeof auth.start>>

type Administration = RunningAuth['administration']

export interface TokenAnswer {
  access_token: string
  expires_in: number
  token_type: string
  scope: null
  refresh_token: string
  user_id: string
  UserRole: Record<string, string | null>
  UserRolePermission: { key: string; allowed: string }[]
  UserPermission: { key: string; allowed: string }[]
}

export interface Login {
  username: string
  password: string
}

export interface Person extends Login {
  id: Id
}

export type Office = Record<EmployeeRole, Person> & { customerId: Id }

/** The running service, and helpers to use it. */
export interface Auth extends StandaloneService<Administration> {
  /** AUTH_SECRET of the first copy. */
  secret: string
  /** The `client_id` with which people sign in. */
  clientId: string
  /** The folder below which mails are written without a mail server. */
  home: string
  /** Creates an office for one test, with one person of each role. */
  office(timeZone?: string): Promise<Office>
  client(...offices: Office[]): Promise<Person>
  /** POST /rest/token, by default on the address for employees. */
  token<Answer = TokenAnswer>(
    parameters: object,
    address?: 'expert' | 'client',
    headers?: Record<string, string>,
  ): Promise<HttpAnswer<Answer>>
  /** The answer to a sign-in, which may fail. */
  signsIn<Answer = TokenAnswer>(login: Login, address?: 'expert' | 'client', headers?: Record<string, string>): Promise<HttpAnswer<Answer>>
  /** Signs a person in. @throws Error when the sign-in fails */
  signIn(person: Login, address?: 'expert' | 'client'): Promise<TokenAnswer>
  /** Signs a person in, on the address for employees or for clients. */
  asExpert(person: Login): Promise<HttpClient>
  asClient(person: Login): Promise<HttpClient>
}

/** An IP address that no other test uses. */
export const randomAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`

/** @param variables override those of the configuration */
export async function startAuthService(variables: Record<string, string> = {}): Promise<Auth> {
  const secret = randomBytes(32).toString('base64')
  const home = await mkdtemp(join(tmpdir(), 'caseway-auth-'))
  const running = await standaloneService(auth, { variables: { AUTH_SECRET: secret, CASEWAY_HOME: home, ...variables } })
  const { administration } = running.service
  const clientId = randomUUID()
  await administration.createApplication(clientId, 'first_party', 'The frontends')

  const token: Auth['token'] = (parameters, address = 'expert', headers = {}) => running.http(address).post('/token', parameters, headers)
  const signsIn: Auth['signsIn'] = ({ username, password }, address, headers) =>
    token({ grant_type: 'password', client_id: clientId, username, password }, address, headers)
  const signIn: Auth['signIn'] = async (person, address) => {
    const { status, text, body } = await signsIn(person, address)
    if (status !== 200) throw new Error(`${person.username} cannot sign in: ${status} ${text}`)
    return body
  }
  const login = () => ({ username: `${randomUUID()}@office.test`, password: randomUUID() })
  const names = { firstname: 'Ada', lastname: 'Nowak' }

  const office = async (timeZone = 'Europe/Warsaw') => {
    const first = login()
    const person = { ...names, email: first.username, password: first.password }
    const { customerId, userId } = await administration.createOffice({ name: 'Office', timeZone }, person)
    const others = (['expert', 'specialist', 'trainee'] as const).map(async (role) => {
      const { username, password } = login()
      const id = await administration.createUser(customerId, { ...names, email: username, password, role })
      return [role, { id, username, password }] as const
    })
    return { customerId, administrator: { ...first, id: userId }, ...Object.fromEntries(await Promise.all(others)) } as Office
  }

  return {
    ...running,
    secret,
    home,
    clientId,
    office,
    async client(first, ...others) {
      const { username, password } = login()
      if (!first) throw new Error('A client begins with an office.')
      const id = await administration.createClient(first.customerId, { ...names, email: username, password })
      for (const { customerId } of others) await administration.linkClient(id, customerId)
      return { id, username, password }
    },
    ...{ token, signsIn, signIn },
    async stop() {
      await running.stop()
      await rm(home, { recursive: true })
    },
    asExpert: async (person) => running.http('expert', (await signIn(person)).access_token),
    asClient: async (person) => running.http('client', (await signIn(person, 'client')).access_token),
  }
}
