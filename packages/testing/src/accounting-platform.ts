import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A company as the platform answers it. */
export interface PlatformCompany {
  readonly company_id: string | number
  readonly name: string
  readonly active: boolean
  readonly flat_rate: boolean
  readonly lump_tax_rates?: readonly string[]
  readonly default_lump_tax_rate?: string
}

export type Endpoint = 'token' | 'revocation' | 'companies'

/** How an endpoint answers in place of its right answer, or before it. */
export interface Fault {
  readonly delayMs?: number
  /** Until the faults change. */
  readonly held?: boolean
  readonly hangs?: boolean
  /** It closes the connection. */
  readonly resets?: boolean
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The size of a body of spaces. */
  readonly bytes?: number
}

/** What the token endpoint answered. */
export interface IssuedTokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** What the redirect URI received. */
export interface ReceivedAnswer {
  readonly code: string
  readonly state: string | null
  readonly iss: string | null
}

/** The external accounting platform: a real OAuth server in a process of its own. */
export interface TestPlatform {
  readonly issuer: string
  readonly clientSecret: string
  /** The variables of the service, so that it uses this platform. */
  readonly variables: Readonly<Record<string, string>>
  /** Those of mail, so that it is the provider `custom` of mailboxes at this host. */
  mailVariables(host: string): Readonly<Record<string, string>>
  /** Makes an account with these companies, or changes one. @param answer of `/companies`, whatever it is */
  account(answer: unknown, name?: string): Promise<string>
  /** The account is no more: its refresh tokens are refused. */
  close(account: string): Promise<void>
  /** A person of the account opens this address in a browser, and agrees. By default an address without state and PKCE. */
  agree(account: string, address?: string): Promise<ReceivedAnswer>
  /** Until `behave`. */
  misbehave(endpoint: Endpoint, fault: Fault): Promise<void>
  behave(): Promise<void>
  /** For how long the access tokens that it gives from now on are good. */
  setLifetime(seconds: number): Promise<void>
  /** The requests of each endpoint so far. */
  requests(): Promise<Record<Endpoint, number>>
  /** All tokens that it gave so far. */
  issued(): Promise<readonly IssuedTokens[]>
  stop(): Promise<void>
}

const redirectUri = 'https://office.example/connected'
const endpoints: readonly Endpoint[] = ['token', 'revocation', 'companies']

export async function testPlatform(clientSecret: string = randomUUID()): Promise<TestPlatform> {
  const client = { clientId: 'caseway', clientSecret, redirectUri }
  const { child, issuer } = await start(client)
  const control = async (path: string, method: string, body?: unknown) => {
    const response = await fetch(`${issuer}/control/${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
    return response.json() as Promise<never>
  }

  const said = (): Promise<{ requests: Record<Endpoint, number>; issued: IssuedTokens[] }> => control('', 'GET')

  return {
    ...{ issuer, clientSecret },
    variables: {
      PARTNER_TOKEN_URL: `${issuer}/token`,
      PARTNER_API_URL: issuer,
      PARTNER_CLIENT_ID: client.clientId,
      PARTNER_CLIENT_SECRET: clientSecret,
      PARTNER_REDIRECT_URI: redirectUri,
      PARTNER_AUTHORIZATION_URL: `${issuer}/auth?scope=companies`,
      PARTNER_REVOCATION_URL: `${issuer}/token/revocation`,
      PARTNER_ISSUER: issuer,
    },
    mailVariables: (host) => ({
      MAIL_OAUTH2_REDIRECT_URIS: redirectUri,
      MAIL_OAUTH2_CUSTOM_CLIENT_ID: client.clientId,
      MAIL_OAUTH2_CUSTOM_CLIENT_SECRET: clientSecret,
      MAIL_OAUTH2_CUSTOM_AUTHORIZATION_URL: `${issuer}/auth`,
      MAIL_OAUTH2_CUSTOM_TOKEN_URL: `${issuer}/token`,
      MAIL_OAUTH2_CUSTOM_REVOCATION_URL: `${issuer}/token/revocation`,
      MAIL_OAUTH2_CUSTOM_SCOPE: 'companies',
      MAIL_OAUTH2_CUSTOM_HOSTS: host,
    }),
    async account(answer, name = randomUUID()) {
      await control(`account/${name}`, 'PUT', answer)
      return name
    },
    close: (account) => control(`account/${account}`, 'DELETE'),
    agree: (account, address = plainAddress(issuer, client.clientId)) => agree(account, address),
    misbehave: (endpoint, fault) => control(`fault/${endpoint}`, 'PUT', fault),
    async behave() {
      for (const endpoint of endpoints) await control(`fault/${endpoint}`, 'DELETE')
    },
    setLifetime: (seconds) => control('lifetime', 'PUT', seconds),
    requests: async () => (await said()).requests,
    issued: async () => (await said()).issued,
    async stop() {
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}

async function start(client: object): Promise<{ child: ChildProcess; issuer: string }> {
  const script = fileURLToPath(new URL('../accounting-platform.mjs', import.meta.url))
  // The library warns of what tests want: a short life, and nothing on disk.
  const child = fork(script, [JSON.stringify(client)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] })
  let complaint = ''
  child.stderr?.on('data', (text) => {
    complaint += text
  })
  const [started] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => Promise.reject(new Error(complaint)))])
  return { child, issuer: (started as { issuer: string }).issuer }
}

const plainAddress = (issuer: string, clientId: string) =>
  `${issuer}/auth?${new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope: 'companies' })}`

/** As a browser does: follows redirects, with cookies, until one leads to the redirect URI. */
async function agree(account: string, address: string): Promise<ReceivedAnswer> {
  const cookies = new Map<string, string>()
  let url = new URL(address)
  url.searchParams.set('login_hint', account)
  while (url.origin + url.pathname !== redirectUri) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const [name, value] of response.headers.getSetCookie().map((line) => line.split(/[=;]/))) cookies.set(name ?? '', value ?? '')
    const location = response.headers.get('location')
    if (!location) throw new Error(`The platform answered ${response.status}: ${await response.text()}`)
    url = new URL(location, url)
  }
  const { searchParams: answer } = url
  return { code: answer.get('code') ?? '', state: answer.get('state'), iss: answer.get('iss') }
}
