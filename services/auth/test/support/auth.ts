import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { AuditEvent } from '@caseway/kit/audit'
import type { EmployeeRole, Id } from '@caseway/kit/caller'
import { createDirectTransport, type Topic } from '@caseway/kit/events'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { auditTopic } from '@caseway/protos/topics'
import {
  eventually,
  type HttpAnswer,
  type HttpClient,
  httpClient,
  keepOutboxHistory,
  type TestDatabase,
  testDatabase,
} from '@caseway/testing'
import { auth } from '../../src/wiring.js'

export type RunningAuth = Awaited<ReturnType<typeof auth.start>>

export const expertUrl = 'https://expert.example.test'
export const clientUrl = 'https://client.example.test'
export const issuer = 'caseway-test'

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

export interface Heard<T> {
  event: T
  key: string
}

/** The running service, and what it lives among. */
export interface Auth {
  service: RunningAuth
  database: TestDatabase
  /** What a metric without labels shows, of the first copy. */
  figure(metric: string): Promise<number>
  /** AUTH_SECRET of the first copy. */
  secret: string
  /** The application that people sign in with. */
  clientId: string
  /** An office that no other test knows, with one person of each role. */
  office(timeZone?: string): Promise<Office>
  client(...offices: Office[]): Promise<Person>
  /** POST /rest/token, by default on the address of the experts. */
  token<Answer = TokenAnswer>(
    parameters: object,
    address?: 'expert' | 'client',
    headers?: Record<string, string>,
  ): Promise<HttpAnswer<Answer>>
  signIn(person: Login, address?: 'expert' | 'client'): Promise<TokenAnswer>
  /** Signed in on the address of the experts, or of the clients. */
  asExpert(person: Login): Promise<HttpClient>
  asClient(person: Login): Promise<HttpClient>
  /** One more copy of the service on the same database, with the same secret unless `variables` say otherwise. */
  copy(variables?: Record<string, string>): Promise<RunningAuth>
  /** Delivers an event of another service to the audit trail. */
  publish(event: AuditEvent, meta?: { id?: string; time?: Date }): Promise<void>
  /** Every event of the topic so far. */
  heard<T>(topic: Topic<T>): Promise<Heard<T>[]>
  stop(): Promise<void>
}

/** Until so many statements wait for a lock that a test holds. */
export const waitForLocks = ({ database }: Auth, count: number) =>
  eventually(async () => {
    const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    if ((await database.rows(waiting)).length !== count) throw new Error('Nobody waits.')
  })

/** An address that no other test comes from. */
export const randomAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`

const migrations = new URL('../../prisma/migrations', import.meta.url)

/** @param variables of the configuration, where a test needs others */
export async function startAuthService(variables: Record<string, string> = {}): Promise<Auth> {
  const database = await testDatabase({ name: 'auth', migrations })
  await database.rows(keepOutboxHistory)
  const transport = createDirectTransport()
  const secret = randomBytes(32).toString('base64')
  const env = {
    AUTH_DATABASE_URL: database.url,
    AUTH_HTTP_HOST: '127.0.0.1',
    AUTH_HTTP_PORT: '0',
    AUTH_GRPC_HOST: '127.0.0.1',
    AUTH_GRPC_PORT: '0',
    GRPC_INSECURE: 'true',
    AUTH_READINESS_DELAY_MS: '0',
    AUTH_SECRET: secret,
    EXPERT_URL: expertUrl,
    CLIENT_URL: clientUrl,
    TOKEN_ISSUER: issuer,
    ...variables,
  }
  const copies: RunningAuth[] = []
  const metrics = createMetrics('auth')
  const copy = async (others: Record<string, string> = {}) => {
    const started = await auth.start(
      { ...env, ...others },
      {
        ...{ transport, metrics: copies.length === 0 ? metrics : createMetrics('auth') },
        log: createLog({ service: 'auth', level: 'silent' }),
      },
    )
    copies.push(started)
    return started
  }
  const service = await copy()
  const { administration } = service
  const clientId = randomUUID()
  await administration.createApplication(clientId, 'first_party', 'The frontends')
  const at = (address: 'expert' | 'client', token?: string) => httpClient(`${service.httpUrl}/${address}/rest`, token)

  const token = (parameters: object, address: 'expert' | 'client' = 'expert', headers = {}) =>
    at(address).post('/token', parameters, headers)
  const signIn = async ({ username, password }: Login, address: 'expert' | 'client' = 'expert') => {
    const { status, text, body } = await token({ grant_type: 'password', client_id: clientId, username, password }, address)
    if (status !== 200) throw new Error(`${username} cannot sign in: ${status} ${text}`)
    return body as TokenAnswer
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
    service,
    database,
    secret,
    figure: async (metric) => (await metrics.registry.getSingleMetric(metric)?.get())?.values[0]?.value ?? Number.NaN,
    clientId,
    office,
    async client(first, ...others) {
      const { username, password } = login()
      if (!first) throw new Error('A client begins with an office.')
      const id = await administration.createClient(first.customerId, { ...names, email: username, password })
      for (const { customerId } of others) await administration.linkClient(id, customerId)
      return { id, username, password }
    },
    token: token as Auth['token'],
    signIn,
    asExpert: async (person) => at('expert', (await signIn(person)).access_token),
    asClient: async (person) => at('client', (await signIn(person, 'client')).access_token),
    async publish(event, { id = randomUUID(), time = new Date() } = {}) {
      const payload = auditTopic.message.encode(event).finish()
      const record = { topic: auditTopic.name, key: auditTopic.key(event), id, payload, headers: { ce_id: id }, time }
      await Promise.all((await transport.publish([record])).map(({ handled }) => handled))
    },
    async heard(topic) {
      const rows = await database.rows<{ payload: Buffer; key: string }>(
        'SELECT payload, key FROM kit.outbox_history WHERE topic = $1 ORDER BY id',
        [topic.name],
      )
      return rows.map(({ payload, key }) => ({ event: topic.message.decode(payload), key }))
    },
    copy,
    async stop() {
      for (const running of copies) await running.stop()
      await transport.stop()
      await database.drop()
    },
  }
}
