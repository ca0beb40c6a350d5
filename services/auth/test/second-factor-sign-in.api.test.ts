import type { HttpAnswer } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { otpOf, wrongOtpOf } from '@caseway/testing/one-time-password'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, type Person, randomAddress, startAuthService } from './support/auth.js'
import { secondFactors } from './support/second-factor.js'

let auth: Auth
const { begin, confirm, setUp, later, signIn } = secondFactors(() => auth)
beforeAll(async () => {
  // Fifty sign-ins wait for one lock, each with a connection.
  auth = await startAuthService({ AUTH_POOL_MAX: '60', AUTH_POOL_LOCK_TIMEOUT_MS: '30000', AUTH_POOL_CONNECT_TIMEOUT_MS: '30000' })
})
afterAll(() => auth.stop())

/** Somebody with a second factor, whose next code is good. */
async function withFactor() {
  const office = await auth.office()
  const person = office.trainee
  const http = await auth.asExpert(person)
  const factor = await setUp(http, person)
  await later(person)
  return { office, person, http, ...factor }
}

const errorOf = ({ status, body: { error, errorCode } }: HttpAnswer<{ error: string; errorCode: string }>) => [status, error, errorCode]
const required = [400, 'invalid_grant', 'SECOND_FACTOR_REQUIRED']
const wrong = [400, 'invalid_grant', 'SECOND_FACTOR_WRONG']

describe('the password of somebody with a second factor', () => {
  it('is not enough: a code is required, and only whoever knows the password is told', async () => {
    const { person, secret } = await withFactor()
    expect(errorOf(await signIn(person))).toEqual(required)
    expect(errorOf(await signIn(person, ''))).toEqual(required)
    const guess = { ...person, password: 'is not right' }
    for (const otp of [undefined, otpOf(secret)]) expect(errorOf(await signIn(guess, otp))).toEqual([400, 'invalid_grant', 'INVALID_GRANT'])
    expect(errorOf(await signIn(person, wrongOtpOf(secret)))).toEqual(wrong)
    expect((await signIn(person, otpOf(secret))).status).toBe(200)
  })

  it('is enough for a refresh', async () => {
    const { person, secret } = await withFactor()
    const { refresh_token } = (await signIn(person, otpOf(secret))).body
    expect((await auth.token({ grant_type: 'refresh_token', client_id: auth.clientId, refresh_token })).status).toBe(200)
  })

  it('and a code that nobody asks for do not matter: without a second factor it is passed over', async () => {
    expect((await signIn((await auth.office()).trainee, '123456')).status).toBe(200)
  })

  it('still needs the code after somebody has reset it', async () => {
    const { person, secret } = await withFactor()
    await auth.service.administration.setPassword({ kind: 'employee', id: person.id }, 'a password of another')
    const changed = { ...person, password: 'a password of another' }
    expect(errorOf(await signIn(changed))).toEqual(required)
    expect((await signIn(changed, otpOf(secret))).status).toBe(200)
  })
})

describe('a code', () => {
  it('works once, and no earlier one works after it', async () => {
    const { person, secret } = await withFactor()
    const otp = otpOf(secret)
    expect((await signIn(person, otp)).status).toBe(200)
    expect(errorOf(await signIn(person, otp))).toEqual(wrong)
    await auth.database.rows('UPDATE second_factors SET last_step = last_step + 3 WHERE user_id = $1', [String(person.id)])
    expect(errorOf(await signIn(person, otpOf(secret)))).toEqual(wrong)
  })

  it('may be one of ten recovery codes, each of which works once', async () => {
    const { person, codes } = await withFactor()
    for (const code of codes) expect((await signIn(person, code)).status).toBe(200)
    expect(errorOf(await signIn(person, codes[0]))).toEqual(wrong)
  })

  it('is not that of another person', async () => {
    const [one, other] = [await withFactor(), await withFactor()]
    expect(errorOf(await signIn(one.person, otpOf(other.secret)))).toEqual(wrong)
    expect(errorOf(await signIn(one.person, other.codes[0]))).toEqual(wrong)
  })

  /** What `count` sign-ins are answered that all wait for the account at the same moment. */
  async function atOnce(count: number, person: Person, otp: string) {
    const held = await holdTransaction(auth.database, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [String(person.id)])
    const answers = Promise.all(Array.from({ length: count }, () => signIn(person, otp, 'expert', { 'x-forwarded-for': randomAddress() })))
    await untilWaiting(auth.database, count)
    await held.commit()
    return (await answers).map(({ status }) => status)
  }

  it.each(['totp', 'recovery code'])(
    'that fifty use at once lets one of them in: %s',
    async (kind) => {
      const { person, secret, codes } = await withFactor()
      const statuses = await atOnce(50, person, kind === 'totp' ? otpOf(secret) : (codes[0] as string))
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      // Theirs, and the one that set the second factor up.
      expect(await auth.database.rows('SELECT FROM sessions WHERE user_id = $1 AND ended IS NULL', [String(person.id)])).toHaveLength(2)
    },
    60_000,
  )
})

describe('wrong codes', () => {
  it('count as wrong passwords do: after ten of both 429, also with the right code', async () => {
    const { person, secret } = await withFactor()
    const headers = { 'x-forwarded-for': randomAddress() }
    const tries = (otp?: string, password = person.password) => signIn({ ...person, password }, otp, 'expert', headers)
    for (let i = 0; i < 5; i++) expect((await tries(wrongOtpOf(secret))).status).toBe(400)
    for (let i = 0; i < 5; i++) expect((await tries(undefined, 'is not right')).status).toBe(400)
    expect((await tries(otpOf(secret))).status).toBe(429)
  })

  it('are no fewer because the right password came with them', async () => {
    const { person, secret } = await withFactor()
    const headers = { 'x-forwarded-for': randomAddress() }
    for (let i = 0; i < 10; i++) {
      expect(errorOf(await signIn(person, undefined, 'expert', headers))).toEqual(required)
      expect((await signIn(person, wrongOtpOf(secret), 'expert', headers)).status).toBe(400)
    }
    expect((await signIn(person, otpOf(secret), 'expert', headers)).status).toBe(429)
  })

  it('are in the audit trail, and so is with which code somebody came in', async () => {
    const { office, person, secret, codes } = await withFactor()
    await signIn(person, wrongOtpOf(secret))
    await signIn(person, otpOf(secret))
    await signIn(person, codes[0])
    const http = await auth.asExpert(office.administrator)
    const { body, text } = await http.get<{ AuditEvent: { kind: string; details: string } }[]>(`/audit_event?subject=employee:${person.id}`)
    const trail = body.map(({ AuditEvent: { kind, details } }) => [kind, JSON.parse(details)])
    const password = { grant_type: 'password' }
    expect(trail.slice(-5)).toEqual([
      ['second_factor.begun', {}],
      ['second_factor.enabled', {}],
      ['session.refused', { ...password, reason: 'second_factor' }],
      ['session.started', { ...password, second_factor: 'totp' }],
      ['session.started', { ...password, second_factor: 'recovery_code' }],
    ])
    for (const kept of [secret, ...codes]) expect(text).not.toContain(kept)
  })
})

describe('a sign-in with the password alone, at the moment at which a second factor is switched on', () => {
  const meeting = async () => {
    const person = (await auth.office()).trainee
    const http = await auth.asExpert(person)
    const { secret } = (await begin(http, person)).body.SecondFactor
    const held = await holdTransaction(auth.database, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [String(person.id)])
    return { held, signsIn: () => signIn(person), switchesOn: () => confirm(http, otpOf(secret)) }
  }

  it('needs the code when it comes after', async () => {
    const { held, signsIn, switchesOn } = await meeting()
    const switched = switchesOn()
    await untilWaiting(auth.database, 1)
    const signedIn = signsIn()
    await untilWaiting(auth.database, 2)
    await held.commit()
    expect((await switched).status).toBe(200)
    expect(errorOf(await signedIn)).toEqual(required)
  })

  it('is ended when it comes before', async () => {
    const { held, signsIn, switchesOn } = await meeting()
    const signedIn = signsIn()
    await untilWaiting(auth.database, 1)
    const switched = switchesOn()
    await untilWaiting(auth.database, 2)
    await held.commit()
    expect((await switched).status).toBe(200)
    const { refresh_token } = (await signedIn).body
    const { status } = await auth.token({ grant_type: 'refresh_token', client_id: auth.clientId, refresh_token })
    expect(status).toBe(400)
  })
})
