import { randomBytes, randomUUID } from 'node:crypto'
import { auth } from '@caseway/auth/wiring'
import { createDirectTransport } from '@caseway/kit/events'
import { createLog } from '@caseway/kit/observability'
import { databaseUrlVariable, registry, type ServiceName, serviceNames } from '@caseway/registry'
import { type HttpClient, httpClient, type TestDatabase, testDatabase } from '@caseway/testing'
import { run } from '../../src/run.js'

/** The output and the exit code of a command. */
export interface Answered {
  code: number
  out: string
  err: string
}

export async function caseway(env: NodeJS.ProcessEnv, ...argv: string[]): Promise<Answered> {
  const printed = { out: [] as string[], err: [] as string[] }
  const io = { env, out: (text: string) => void printed.out.push(text), err: (text: string) => void printed.err.push(text) }
  const code = await run(argv, io)
  return { code, out: printed.out.join('\n'), err: printed.err.join('\n') }
}

/** The JSON output of a command. @throws Error if the command failed */
export function documentOf({ code, out, err }: Answered) {
  if (code !== 0) throw new Error(`The command ended with ${code}: ${err}`)
  return JSON.parse(out)
}

export interface NewOffice {
  customer_id: string
  user_id: string
  username: string
  password: string
}

/** The databases of the services, and the environment with which commands use them. */
export interface Installation {
  env: NodeJS.ProcessEnv
  auth: TestDatabase
  cases: TestDatabase
  files: TestDatabase
  cards: TestDatabase
  partner: TestDatabase
  mail: TestDatabase
  caseway(...argv: string[]): Promise<Answered>
  office(): Promise<NewOffice>
  drop(): Promise<void>
}

export async function installation(): Promise<Installation> {
  const databases = await Promise.all(serviceNames.map((name) => testDatabase({ name })))
  const databaseOf = (service: ServiceName) => databases[serviceNames.indexOf(service)] as TestDatabase
  const env = {
    ...Object.fromEntries(serviceNames.map((name) => [databaseUrlVariable(name), databaseOf(name).url])),
    AUTH_SECRET: randomBytes(32).toString('base64'),
    PARTNER_SECRET: randomBytes(32).toString('base64'),
    MAIL_SECRET: randomBytes(32).toString('base64'),
    TOKEN_ISSUER: 'caseway-test',
  }
  return {
    env,
    auth: databaseOf(registry.auth.name),
    cases: databaseOf(registry.casesAndCounters.name),
    files: databaseOf(registry.files.name),
    cards: databaseOf(registry.companyCard.name),
    partner: databaseOf(registry.partner.name),
    mail: databaseOf(registry.mail.name),
    caseway: (...argv) => caseway(env, ...argv),
    office: async () => documentOf(await caseway(env, ...createOffice(newEmail()), '--json')),
    async drop() {
      await Promise.all(databases.map((database) => database.drop()))
    },
  }
}

/** An unused address. */
export const newEmail = () => `${randomUUID()}@office.test`

export const createOffice = (email: string) => [
  ...['office', 'create', '--name', 'Nowak', '--time-zone', 'Europe/Lisbon', '--email', email],
  ...['--firstname', 'Ada', '--lastname', 'Nowak'],
]

export interface Login {
  username: string
  password: string
}

interface SignedIn {
  status: number
  accessToken: string
  refreshToken: string
}

/** A running auth next to the commands. */
export interface StandaloneAuth {
  service: Awaited<ReturnType<typeof auth.start>>
  /** The status is 200 if the password is right. */
  signIn(login: Login, address?: 'expert' | 'client'): Promise<SignedIn>
  as(signedIn: SignedIn, address?: 'expert' | 'client'): HttpClient
  refresh(refreshToken: string): Promise<number>
  stop(): Promise<void>
}

async function standaloneAuth({ env }: Installation): Promise<StandaloneAuth> {
  const transport = createDirectTransport()
  const quiet = { AUTH_HTTP_HOST: '127.0.0.1', AUTH_HTTP_PORT: '0', AUTH_GRPC_HOST: '127.0.0.1', AUTH_GRPC_PORT: '0' }
  const urls = { AUTH_READINESS_DELAY_MS: '0', GRPC_INSECURE: 'true', EXPERT_URL: 'https://expert.test', CLIENT_URL: 'https://client.test' }
  const service = await auth.start({ ...env, ...quiet, ...urls }, { transport, log: createLog({ service: 'auth', level: 'silent' }) })
  const clientId = randomUUID()
  await service.administration.createApplication(clientId, 'first_party', 'The frontends')
  const token = (address: string, parameters: object) =>
    httpClient(`${service.httpUrl}/${address}/rest`).post<{ access_token: string; refresh_token: string }>('/token', {
      client_id: clientId,
      ...parameters,
    })

  return {
    service,
    async signIn(login, address = 'expert') {
      const { status, body } = await token(address, { grant_type: 'password', ...login })
      return { status, accessToken: body.access_token, refreshToken: body.refresh_token }
    },
    as: ({ accessToken }, address = 'expert') => httpClient(`${service.httpUrl}/${address}/rest`, accessToken),
    refresh: async (refreshToken) => (await token('expert', { grant_type: 'refresh_token', refresh_token: refreshToken })).status,
    async stop() {
      await service.stop()
      await transport.stop()
    },
  }
}

export interface InstallationWithAuth {
  readonly place: Installation
  readonly auth: StandaloneAuth
  stop(): Promise<void>
}

/** An installation with a running auth. */
export async function installationWithAuth(): Promise<InstallationWithAuth> {
  const place = await installation()
  const auth = await standaloneAuth(place)
  return {
    ...{ place, auth },
    async stop() {
      await auth.stop()
      await place.drop()
    },
  }
}
