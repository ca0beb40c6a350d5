/**
 * A fake of the external accounting platform in a process of its own: a real OAuth server (oidc-provider) with `/companies`. Tests control it below
 * `/control`: accounts, their companies, and faults of endpoints. Started by src/accounting-platform.ts.
 */
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import Provider from 'oidc-provider'

const { clientId, clientSecret, redirectUri } = JSON.parse(process.argv[2])

/** The answer to `GET /companies` of each account. */
const accounts = new Map()
/** Faults by endpoint. */
const faults = new Map()
const requests = { token: 0, revocation: 0, companies: 0 }
/** All issued tokens. */
const issued = []
let accessTokenSeconds = 3600
let release = Promise.withResolvers()

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error)
    response.destroy()
  })
})
await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
const issuer = `http://127.0.0.1:${server.address().port}`

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  scopes: ['companies'],
  pkce: { required: () => false },
  features: { devInteractions: { enabled: false }, revocation: { enabled: true, allowedPolicy: () => true } },
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  ttl: { AccessToken: () => accessTokenSeconds, AuthorizationCode: 60, RefreshToken: 86_400, Grant: 86_400, Interaction: 60, Session: 60 },
  cookies: { keys: ['a key of the tests'] },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, id) => (accounts.has(id) ? { accountId: id, claims: async () => ({ sub: id }) } : undefined),
})
const oauth = provider.callback()
const endpoints = { '/token': 'token', '/token/revocation': 'revocation', '/companies': 'companies' }

async function answer(request, response) {
  const { pathname } = new URL(request.url, issuer)
  const [, first, ...rest] = pathname.split('/')
  if (first === 'control') return control(request, response, rest)
  if (first === 'interaction') return agree(request, response)
  const endpoint = endpoints[pathname]
  if (endpoint) {
    requests[endpoint]++
    if (endpoint === 'token') noteTokens(response)
    const fault = faults.get(endpoint)
    if (fault && (await misbehave(fault, response))) return
  }
  if (first === 'tokeninfo') return tokenInfo(request, response)
  return endpoint === 'companies' ? companies(request, response) : oauth(request, response)
}

/** Signs in the person of `login_hint`, who consents. */
async function agree(request, response) {
  const { params, prompt } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId: params.login_hint } })
  const grant = new provider.Grant({ accountId: params.login_hint, clientId })
  grant.addOIDCScope(params.scope)
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
}

async function companies(request, response) {
  const [, sent = ''] = (request.headers.authorization ?? '').split(' ')
  const token = await provider.AccessToken.find(sent)
  if (!token?.isValid) return json(response, 401, { error: 'invalid_token' })
  return json(response, 200, accounts.get(token.accountId))
}

/** The endpoint with which a mail server verifies a token (passdb of OAuth 2.0 of Dovecot, `introspection_mode = auth`). */
async function tokenInfo(request, response) {
  const [, sent = ''] = (request.headers.authorization ?? '').split(' ')
  const token = await provider.AccessToken.find(sent)
  // Dovecot takes any other status for a failure of the endpoint, not for an invalid token.
  if (!token?.isValid || !accounts.has(token.accountId)) return json(response, 200, { active: false })
  return json(response, 200, { username: token.accountId, active: true })
}

function noteTokens(response) {
  const end = response.end.bind(response)
  response.end = (body) => {
    if (response.statusCode === 200 && body) issued.push(JSON.parse(body))
    return end(body)
  }
}

/** Applies a fault. @returns whether it has answered the request */
async function misbehave({ delayMs = 0, held, hangs, resets, status, headers, body = '', bytes = 0 }, response) {
  await pause(delayMs)
  if (held) await release.promise
  if (hangs) return true
  if (resets) return Boolean(response.destroy())
  if (status === undefined) return false
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(bytes > 0 ? Buffer.alloc(bytes, ' ') : body)
  return true
}

async function control(request, response, [what, name]) {
  let text = ''
  for await (const chunk of request) text += chunk
  const sent = text ? JSON.parse(text) : undefined
  const isRemoved = request.method === 'DELETE'
  if (what === 'account') isRemoved ? accounts.delete(name) : accounts.set(name, sent)
  if (what === 'fault') isRemoved ? faults.delete(name) : faults.set(name, sent)
  if (what === 'fault') {
    release.resolve()
    release = Promise.withResolvers()
  }
  if (what === 'lifetime') accessTokenSeconds = sent
  return json(response, 200, { requests, issued })
}

const json = (response, status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

process.on('disconnect', () => process.exit())
process.send({ issuer })
