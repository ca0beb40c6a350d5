import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Endpoint, Fault } from '@caseway/testing/accounting-platform'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { codeFor, flat, listOf, newOffice, type Partner, path, plain, post, startPartner } from './support/integrations.js'

let partner: Partner
/** A server at a private address, which must get no request. */
let inside: Server
let visits = 0
beforeAll(async () => {
  partner = await startPartner({ variables: { PARTNER_TIMEOUT_MS: '500' } })
  inside = createServer((_, response) => {
    visits++
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ companies: [plain] }))
  })
  await new Promise<void>((listening) => inside.listen(0, '127.0.0.1', listening))
})
afterEach(() => partner.platform.behave())
afterAll(async () => {
  await partner.stop()
  inside.close()
})

const tables = ['integrations', 'platform_tokens', 'auth_codes']
const rowsOf = (customerId: bigint) =>
  Promise.all(
    tables.map(async (table) => (await partner.database.rows(`SELECT FROM ${table} WHERE customer_id = $1`, [customerId])).length),
  )

const json = (body: unknown): Fault => ({ status: 200, body: JSON.stringify(body) })
const tokens = { access_token: 'a', token_type: 'Bearer', expires_in: 60 }
const faults: [string, Endpoint, Fault][] = [
  ['does not answer', 'token', { hangs: true }],
  ['is slower than the timeout', 'token', { delayMs: 700 }],
  ['closes the connection', 'token', { resets: true }],
  ['is down', 'token', { status: 503 }],
  ['refuses the client credentials', 'token', { status: 401, body: '{"error":"invalid_client"}' }],
  ['answers no JSON', 'token', { status: 200, body: '<html>' }],
  ['answers without a token', 'token', json({ ...tokens, access_token: undefined })],
  ['answers a token of another type', 'token', json({ ...tokens, access_token: 7 })],
  ['answers a token that cannot be a header', 'token', json({ ...tokens, access_token: 'a\r\nb' })],
  ['answers 10 MB', 'token', { status: 200, bytes: 10_485_760 }],
  ['does not answer', 'companies', { hangs: true }],
  ['closes the connection', 'companies', { resets: true }],
  ['is down', 'companies', { status: 500 }],
  ['refuses the token that it has issued', 'companies', { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }],
  ['answers no JSON', 'companies', { status: 200, body: '<html>' }],
  ['answers no object', 'companies', json([plain])],
  ['answers no list', 'companies', json({ companies: plain })],
  ['answers null', 'companies', json({ companies: [null] })],
  ['answers an invalid id', 'companies', json({ companies: [{ ...plain, company_id: {} }] })],
  ['answers a name of two lines', 'companies', json({ companies: [{ ...plain, name: 'a\nb' }] })],
  ['answers a name with NUL', 'companies', json({ companies: [{ ...plain, name: 'a\0' }] })],
  ['answers a name of a megabyte', 'companies', json({ companies: [{ ...plain, name: 'a'.repeat(1_000_000) }] })],
  ['answers "true"', 'companies', json({ companies: [{ ...plain, active: 'true' }] })],
  ['answers an invalid rate', 'companies', json({ companies: [{ ...flat, lump_tax_rates: ['NaN'] }] })],
  ['answers a flat-rate company without rates', 'companies', json({ companies: [{ ...flat, lump_tax_rates: [] }] })],
  ['answers a company twice', 'companies', json({ companies: [plain, plain] })],
  ['answers 10 MB', 'companies', { status: 200, bytes: 10_485_760 }],
]

describe('when the platform answers wrongly or not at all, a POST is 503 within 5 seconds, and nothing is stored', () => {
  it.each(faults)('%s (%s)', async (_, endpoint, fault) => {
    const { http, customerId } = newOffice(partner)
    const code = await codeFor(partner, plain)
    await partner.platform.misbehave(endpoint, fault)
    const began = performance.now()
    const { status, body, headers } = await post(http, { auth_code: code })
    expect([status, body]).toEqual([
      503,
      { status: 'error', errorMessages: 'The service is temporarily unavailable.', errorCode: 'UNAVAILABLE' },
    ])
    expect(headers.get('retry-after')).toBe('1')
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(await rowsOf(customerId)).toEqual([0, 0, 0])
  })

  it.each(['token', 'companies'] as const)('redirects to a private address (%s)', async (endpoint) => {
    const { http, customerId } = newOffice(partner)
    const code = await codeFor(partner, plain)
    const location = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`
    for (const status of [301, 302, 303, 307, 308]) {
      await partner.platform.misbehave(endpoint, { status, headers: { location } })
      expect((await post(http, { auth_code: endpoint === 'token' ? code : await codeFor(partner, plain) })).status).toBe(503)
    }
    expect(visits).toBe(0)
    expect(await rowsOf(customerId)).toEqual([0, 0, 0])
  })
})

it('a metric counts the requests by outcome', async () => {
  const { http } = newOffice(partner)
  const count = async (call: string, outcome: string) => {
    const { values = [] } = (await partner.metrics.registry.getSingleMetric('accounting_platform_requests_total')?.get()) ?? {}
    return values.find(({ labels }) => labels.call === call && labels.outcome === outcome)?.value ?? 0
  }
  const each = () => Promise.all([count('exchange', 'failed'), count('exchange', 'refused'), count('companies', 'answered')])
  const before = await each()
  await post(http, { auth_code: 'unknown' })
  await post(http, { auth_code: await codeFor(partner, plain) })
  await partner.platform.misbehave('token', { status: 503 })
  await post(http, { auth_code: await codeFor(partner, plain) })
  expect(await each()).toEqual(before.map((value) => value + 1))
})

it('a code that did not reach the platform may be posted again', async () => {
  const { http } = newOffice(partner)
  const code = await codeFor(partner, plain)
  await partner.platform.misbehave('token', { status: 503 })
  expect((await post(http, { auth_code: code })).status).toBe(503)
  await partner.platform.behave()
  expect((await post(http, { auth_code: code })).status).toBe(200)
})

describe('without a configuration', () => {
  it('requests that need the platform are 503 with the reason, and lists work', async () => {
    const names = Object.keys(partner.platform.variables)
    const bare = await partner.copy(Object.fromEntries(names.map((name) => [name, ''])))
    const { expert } = partner.office()
    const at = (path: string, init?: RequestInit) =>
      fetch(`${bare.httpUrl}/expert/rest${path}`, {
        ...init,
        headers: { authorization: `Bearer ${expert.token}`, 'content-type': 'application/json' },
      })
    const answers = [
      await at(`${path}/authorize`),
      await at(path, { method: 'POST', body: JSON.stringify({ PartnerOauth2: { auth_code: 'a' } }) }),
    ]
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '3600'])
      expect(await answer.json()).toEqual({
        ...{ status: 'error', errorCode: 'PARTNER_NOT_CONFIGURED' },
        errorMessages: 'The accounting platform is not configured.',
      })
    }
    expect(await (await at(path)).json()).toEqual({ results: [] })
    expect(await listOf(partner.asExpert(expert))).toEqual([])
  })

  it.each([
    ['that is partial', { PARTNER_CLIENT_SECRET: '' }, 'PARTNER_CLIENT_SECRET must be set: the accounting platform needs all of'],
    ['in plain text', { PARTNER_API_URL: 'http://platform.example' }, 'PARTNER_API_URL must begin with https://'],
  ])('one %s is refused at the start', async (_, variables, problem) => {
    await expect(partner.copy(variables)).rejects.toThrow(problem)
  })
})
