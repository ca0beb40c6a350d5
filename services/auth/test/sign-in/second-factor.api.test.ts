import { httpClient } from '@caseway/testing'
import { otpOf, wrongOtpOf } from '@caseway/testing/one-time-password'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, startAuthService } from '../support/auth.js'
import { ownPath, secondFactors } from '../support/second-factor.js'

let auth: Auth
const { begin, confirm, setUp, later, signIn } = secondFactors(() => auth)
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const state = (changes = {}) => ({ SecondFactor: { enabled: '0', confirmed: null, recovery_codes_left: '0', required: '0', ...changes } })
const enabled = { enabled: '1', confirmed: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/), recovery_codes_left: '10' }
const errorOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as { errorMessages: unknown }).errorMessages]

describe.each(['expert', 'client'] as const)('the caller’s second factor, on the address of each %s', (address) => {
  const path = ownPath[address]
  const signedIn = async () => {
    const office = await auth.office()
    const person = address === 'client' ? await auth.client(office) : office.trainee
    const http = await (address === 'client' ? auth.asClient(person) : auth.asExpert(person))
    const own = (method: string, sent: object, below = '') =>
      http.request(method, `${path}${below}`, { SecondFactor: { current_password: person.password, ...sent } })
    return { person, http, own }
  }

  it('is set up with the password and a first code, and then shown as enabled', async () => {
    const { person, http } = await signedIn()
    expect((await http.get(path)).body).toEqual(state())
    const begun = await begin(http, person, address)
    expect([begun.status, begun.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const { secret, uri } = begun.body.SecondFactor
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(new URL(uri).searchParams.get('secret')).toBe(secret)
    expect(decodeURIComponent(new URL(uri).pathname)).toContain(`Caseway:${person.username}`)
    expect((await http.get(path)).body).toEqual(state())
    expect((await signIn(person, undefined, address)).status).toBe(200)
    const confirmed = await confirm(http, otpOf(secret), address)
    expect([confirmed.status, confirmed.body.SecondFactor.recovery_codes.length]).toEqual([200, 10])
    expect((await http.get(path)).body).toEqual(state(enabled))
    expect((await signIn(person, undefined, address)).body.errorCode).toBe('SECOND_FACTOR_REQUIRED')
  })

  it('requires the current password to begin, and a right code to confirm', async () => {
    const { person, http, own } = await signedIn()
    expect(errorOf(await own('POST', { current_password: undefined }))).toEqual([400, { current_password: 'is required' }])
    expect(errorOf(await own('POST', { current_password: 'a wrong password' }))).toEqual([400, { current_password: 'is incorrect' }])
    expect(await confirm(http, '123456', address)).toMatchObject({ status: 409, body: { errorCode: 'SECOND_FACTOR_NOT_BEGUN' } })
    const { secret } = (await begin(http, person, address)).body.SecondFactor
    expect(errorOf(await confirm(http, wrongOtpOf(secret), address))).toEqual([400, { otp: 'is incorrect' }])
    expect(errorOf(await http.put(path, { SecondFactor: {} }))).toEqual([400, { otp: 'is required' }])
    expect((await http.get(path)).body).toEqual(state())
  })

  it('is confirmed within ten minutes, or has to be begun again', async () => {
    const { person, http } = await signedIn()
    const wait = (minutes: number) =>
      auth.database.rows("UPDATE second_factors SET created = created - $2 * interval '1 minute' WHERE user_id = $1", [
        ...[String(person.id), minutes],
      ])
    const { secret: late } = (await begin(http, person, address)).body.SecondFactor
    await wait(10)
    expect(await confirm(http, otpOf(late), address)).toMatchObject({ status: 409, body: { errorCode: 'SECOND_FACTOR_NOT_BEGUN' } })
    const { secret } = (await begin(http, person, address)).body.SecondFactor
    await wait(9)
    expect((await confirm(http, otpOf(secret), address)).status).toBe(200)
  })

  it('ends all other sessions when it is confirmed, and when it is removed', async () => {
    const { person, http, own } = await signedIn()
    const refreshed = (token: string) =>
      auth.token({ grant_type: 'refresh_token', client_id: auth.clientId, refresh_token: token }, address)
    const before = await auth.signIn(person, address)
    const { secret, codes } = await setUp(http, person, address)
    expect((await refreshed(before.refresh_token)).status).toBe(400)
    await later(person)
    const { body: meanwhile } = await signIn(person, otpOf(secret), address)
    expect((await own('DELETE', { otp: codes[0] })).status).toBe(200)
    expect((await refreshed(meanwhile.refresh_token)).status).toBe(400)
    expect((await http.get(path)).body).toEqual(state())
    expect((await signIn(person, undefined, address)).status).toBe(200)
  })

  it('requires the password and a code to be removed', async () => {
    const { person, http, own } = await signedIn()
    const { secret, used } = await setUp(http, person, address)
    expect(errorOf(await own('DELETE', {}))).toEqual([400, { otp: 'is required' }])
    expect(errorOf(await own('DELETE', { otp: wrongOtpOf(secret) }))).toEqual([400, { otp: 'is incorrect' }])
    expect(errorOf(await own('DELETE', { otp: used }))).toEqual([400, { otp: 'is incorrect' }])
    await later(person)
    expect(errorOf(await own('DELETE', { otp: otpOf(secret), current_password: 'a wrong password' }))).toEqual([
      ...[400, { current_password: 'is incorrect' }],
    ])
    expect((await own('DELETE', { otp: otpOf(secret) })).status).toBe(200)
    expect((await own('DELETE', {})).status).toBe(404)
  })

  it('can be replaced, and remains valid until the new one is confirmed', async () => {
    const { person, http } = await signedIn()
    const { secret, codes } = await setUp(http, person, address)
    expect(errorOf(await begin(http, person, address))).toEqual([400, { otp: 'is required' }])
    const { secret: next } = (await begin(http, person, address, codes[0])).body.SecondFactor
    await later(person)
    expect((await signIn(person, otpOf(secret), address)).status).toBe(200)
    expect((await confirm(http, otpOf(next), address)).status).toBe(200)
    await later(person)
    expect((await signIn(person, otpOf(secret), address)).status).toBe(400)
    expect((await signIn(person, codes[1], address)).status).toBe(400)
    expect((await signIn(person, otpOf(next), address)).status).toBe(200)
    expect((await http.get(path)).status).toBe(200)
  })

  it('gets new recovery codes in place of the old ones', async () => {
    const { person, http, own } = await signedIn()
    expect((await own('POST', {}, '/recovery_code')).status).toBe(404)
    const { codes } = await setUp(http, person, address)
    expect(errorOf(await own('POST', {}, '/recovery_code'))).toEqual([400, { otp: 'is required' }])
    const renewed = await own('POST', { otp: codes[0] }, '/recovery_code')
    expect(renewed.status).toBe(201)
    const fresh = (renewed.body as { SecondFactor: { recovery_codes: string[] } }).SecondFactor.recovery_codes
    expect(new Set([...fresh, ...codes]).size).toBe(20)
    expect((await signIn(person, codes[1], address)).status).toBe(400)
    expect((await signIn(person, fresh[0]?.toUpperCase().replaceAll('-', ' '), address)).status).toBe(200)
    expect((await http.get(path)).body).toEqual(state({ ...enabled, recovery_codes_left: '9' }))
  })

  it('requires a token', async () => {
    const { http } = await signedIn()
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const sent = method === 'GET' ? undefined : { SecondFactor: {} }
      expect((await http.as(undefined).request(method, path, sent)).status).toBe(401)
    }
  })

  it('limits wrong codes: after ten of them 429, also with the right one', async () => {
    const { person, http, own } = await signedIn()
    const { secret } = await setUp(http, person, address)
    await later(person)
    for (let i = 0; i < 10; i++) expect((await own('DELETE', { otp: wrongOtpOf(secret) })).status).toBe(400)
    const eleventh = await own('DELETE', { otp: otpOf(secret) })
    expect([eleventh.status, Number(eleventh.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    // Attempts at the sign-in are counted separately.
    expect((await signIn(person, otpOf(secret), address)).status).toBe(200)
  })
})

describe('the secrets', () => {
  it('are encrypted in the database, and recovery codes are hashes', async () => {
    const { trainee } = await auth.office()
    const { secret, codes } = await setUp(await auth.asExpert(trainee), trainee)
    const rows = await auth.database.rows(
      'SELECT * FROM second_factors JOIN recovery_codes ON second_factors.id = second_factor_id WHERE user_id = $1',
      [String(trainee.id)],
    )
    expect(rows).toHaveLength(10)
    const stored = JSON.stringify(rows, (_, value) => (value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value))
    for (const kept of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) expect(stored).not.toContain(kept)
  })

  it('are not stored for an Idempotency-Key: the same key begins again', async () => {
    const { trainee } = await auth.office()
    const http = await auth.asExpert(trainee)
    const sent = { SecondFactor: { current_password: trainee.password } }
    const headers = { 'idempotency-key': 'begin' }
    const secrets = [await http.post(ownPath.expert, sent, headers), await http.post(ownPath.expert, sent, headers)]
    expect(new Set(secrets.map(({ text }) => text)).size).toBe(2)
    expect(
      await auth.database.rows("SELECT FROM kit.idempotency_key WHERE caller LIKE 'employee:' || $1 || '@%'", [String(trainee.id)]),
    ).toEqual([])
  })

  it('are encrypted with a new AUTH_SECRET, while people sign in', async () => {
    const { trainee } = await auth.office()
    const { secret } = await setUp(await auth.asExpert(trainee), trainee)
    const next = Buffer.alloc(32, 7).toString('base64')
    const signsIn = async (httpUrl: string) => {
      await later(trainee)
      const { username, password } = trainee
      const sent = { grant_type: 'password', client_id: auth.clientId, username, password, otp: otpOf(secret) }
      return (await httpClient(`${httpUrl}/expert/rest`).post('/token', sent)).status
    }
    const rotating = await auth.copy({ AUTH_SECRET: next, AUTH_SECRET_PREVIOUS: auth.secret })
    expect(await signsIn(rotating.httpUrl)).toBe(200)
    expect((await rotating.administration.reseal()).secondFactors).toBeGreaterThan(0)
    expect(await signsIn(rotating.httpUrl)).toBe(200)
    expect((await rotating.administration.reseal()).secondFactors).toBe(0)
    await rotating.stop()
    const alone = await auth.copy({ AUTH_SECRET: next })
    expect(await signsIn(alone.httpUrl)).toBe(200)
    await alone.stop()
    const back = await auth.copy({ AUTH_SECRET: auth.secret, AUTH_SECRET_PREVIOUS: next })
    expect((await back.administration.reseal()).secondFactors).toBeGreaterThan(0)
    await back.stop()
  })
})
