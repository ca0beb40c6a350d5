import { httpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, randomAddress, startAuthService } from '../support/auth.js'

let auth: Auth
let urls: string[]
beforeAll(async () => {
  auth = await startAuthService({ AUTH_TOKEN_REQUESTS_PER_MINUTE: '4' })
  urls = [auth.service.httpUrl, (await auth.copy()).httpUrl]
})
afterAll(() => auth.stop())

/** Sends a request to one of the two copies in turn. */
const ask = (from: string, turn: number, address: 'expert' | 'client' = 'expert') =>
  httpClient(`${urls[turn % 2]}/${address}/rest`).post('/token', { grant_type: 'nonsense' }, { 'x-forwarded-for': from })

const statuses = async (from: readonly string[]) => {
  const seen: number[] = []
  for (const [turn, address] of from.entries()) seen.push((await ask(address, turn)).status)
  return seen
}

describe('token requests from one address', () => {
  it('are counted over all copies: 429 with Retry-After, with the fields of RFC 6749 and of all other errors', async () => {
    const from = randomAddress()
    expect(await statuses(Array(4).fill(from))).toEqual([400, 400, 400, 400])
    for (const turn of [0, 1]) {
      const { status, headers, body } = await ask(from, turn)
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(body).toEqual({
        ...{ status: 'error', errorMessages: 'Too many requests. Try again later.', errorCode: 'TOO_MANY_REQUESTS' },
        ...{ error: 'temporarily_unavailable', error_description: 'Too many requests. Try again later.' },
      })
    }
    expect((await ask(from, 0, 'client')).status).toBe(429)
    expect((await ask(`::ffff:${from}`, 0)).status).toBe(429)
    expect((await ask(randomAddress(), 0)).status).toBe(400)
  })

  it('are counted by network for IPv6', async () => {
    const ends = ['::1', '::2', '::3', '::4', ':ffff::1']
    expect(await statuses(ends.map((end) => `2001:db8:0:1${end}`))).toEqual([400, 400, 400, 400, 429])
    expect((await ask('2001:db8:1:2::1', 0)).status).toBe(400)
  })

  it('are also counted by site for IPv6, whatever networks they come from', async () => {
    const networks = [1, 2, 3, 4, 5].map((network) => `2001:db8:2:${network}::1`)
    expect(await statuses(networks)).toEqual([400, 400, 400, 400, 429])
    expect((await ask('2001:db8:3:1::1', 0)).status).toBe(400)
  })

  it('are limited also when they are concurrent', async () => {
    const from = randomAddress()
    const answers = await Promise.all(Array.from({ length: 40 }, (_, turn) => ask(from, turn)))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(4)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(36)
  })

  it('count also when they succeed, and other requests do not', async () => {
    const { expert } = await auth.office()
    const from = { 'x-forwarded-for': randomAddress() }
    const login = { grant_type: 'password', client_id: auth.clientId, ...{ username: expert.username, password: expert.password } }
    const { body } = await auth.token(login, 'expert', from)
    const signedIn = httpClient(`${urls[0]}/expert/rest`, body.access_token)
    for (let i = 0; i < 10; i++) expect((await signedIn.get('/user', from)).status).toBe(200)
    for (let i = 0; i < 3; i++) expect((await auth.token(login, 'expert', from)).status).toBe(200)
    expect((await auth.token(login, 'expert', from)).status).toBe(429)
  })
})
