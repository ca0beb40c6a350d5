import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A company in the answer of the platform. */
export interface PlatformCompany {
  readonly company_id: string | number
  readonly name: string
  readonly active: boolean
  readonly flat_rate: boolean
  readonly lump_tax_rates?: readonly string[]
  readonly default_lump_tax_rate?: string
}

export type Endpoint = 'token' | 'revocation' | 'companies'

/** A fault of an endpoint: it replaces or delays the right answer. */
export interface Fault {
  readonly delayMs?: number
  /** Holds the answer until the faults change. */
  readonly held?: boolean
  readonly hangs?: boolean
  /** Closes the connection. */
  readonly resets?: boolean
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Answers with a body of so many spaces. */
  readonly bytes?: number
}

/** An answer of the token endpoint. */
export interface IssuedTokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** The parameters that the redirect URI received. */
export interface ReceivedAnswer {
  readonly code: string
  readonly state: string | null
  readonly iss: string | null
}

/** A fake of the external accounting platform: a real OAuth server in a process of its own. */
export interface TestPlatform {
  readonly issuer: string
  readonly clientSecret: string
  /** The variables of partner, for this platform. */
  readonly variables: Readonly<Record<string, string>>
  /** The variables of mail, with this platform as the OAuth provider `custom` of mailboxes at `host`. */
  mailVariables(host: string): Readonly<Record<string, string>>
  /** Creates or changes an account. @param answer the answer of `/companies` */
  account(answer: unknown, name?: string): Promise<string>
  /** Removes the account; its refresh tokens are refused from then on. */
  close(account: string): Promise<void>
  /** Opens `address` as a browser, signs in and consents. Default: an authorization request without state and PKCE. */
  agree(account: string, address?: string): Promise<ReceivedAnswer>
  /** Sets a fault until `behave`. */
  misbehave(endpoint: Endpoint, fault: Fault): Promise<void>
  behave(): Promise<void>
  /** Lifetime of access tokens that are issued from now on. */
  setLifetime(seconds: number): Promise<void>
  /** Number of requests to each endpoint. */
  requests(): Promise<Record<Endpoint, number>>
  /** All tokens that were issued. */
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

  const readState = (): Promise<{ requests: Record<Endpoint, number>; issued: IssuedTokens[] }> => control('', 'GET')

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
    requests: async () => (await readState()).requests,
    issued: async () => (await readState()).issued,
    async stop() {
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}

async function start(client: object): Promise<{ child: ChildProcess; issuer: string }> {
  const script = fileURLToPath(new URL('../accounting-platform.mjs', import.meta.url))
  // The library warns of short lifetimes and of storage in memory, which tests want.
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

/** Follows redirects with cookies, as a browser does, until one leads to the redirect URI. */
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
