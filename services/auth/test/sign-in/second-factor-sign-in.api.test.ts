import type { HttpAnswer } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { otpOf, wrongOtpOf } from '@caseway/testing/one-time-password'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, type Person, randomAddress, startAuthService } from '../support/auth.js'
import { secondFactors } from '../support/second-factor.js'

let auth: Auth
const { begin, confirm, setUp, later, signIn } = secondFactors(() => auth)
beforeAll(async () => {
  // Fifty sign-ins wait for one lock, each with a connection of its own.
  auth = await startAuthService({ AUTH_POOL_MAX: '60' })
})
afterAll(() => auth.stop())

/** A person with a second factor, whose next code is valid. */
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

describe('the password of a person with a second factor', () => {
  it('does not suffice: a code is required, which only the right password reveals', async () => {
    const { person, secret } = await withFactor()
    expect(errorOf(await signIn(person))).toEqual(required)
    expect(errorOf(await signIn(person, ''))).toEqual(required)
    const guess = { ...person, password: 'a wrong password' }
    for (const otp of [undefined, otpOf(secret)]) expect(errorOf(await signIn(guess, otp))).toEqual([400, 'invalid_grant', 'INVALID_GRANT'])
    expect(errorOf(await signIn(person, wrongOtpOf(secret)))).toEqual(wrong)
    expect((await signIn(person, otpOf(secret))).status).toBe(200)
  })

  it('is not needed for a refresh, and neither is a code', async () => {
    const { person, secret } = await withFactor()
    const { refresh_token } = (await signIn(person, otpOf(secret))).body
    expect((await auth.token({ grant_type: 'refresh_token', client_id: auth.clientId, refresh_token })).status).toBe(200)
  })

  it('with a code signs in a person without a second factor: the code is ignored', async () => {
    expect((await signIn((await auth.office()).trainee, '123456')).status).toBe(200)
  })

  it('still requires the code after it was reset', async () => {
    const { person, secret } = await withFactor()
    await auth.service.administration.setPassword({ kind: 'employee', id: person.id }, 'a password of another')
    const changed = { ...person, password: 'a password of another' }
    expect(errorOf(await signIn(changed))).toEqual(required)
    expect((await signIn(changed, otpOf(secret))).status).toBe(200)
  })
})

describe('a code', () => {
  it('works once, after which no earlier one works', async () => {
    const { person, secret } = await withFactor()
    const otp = otpOf(secret)
    expect((await signIn(person, otp)).status).toBe(200)
    expect(errorOf(await signIn(person, otp))).toEqual(wrong)
    await auth.database.rows('UPDATE second_factors SET last_step = last_step + 3 WHERE user_id = $1', [String(person.id)])
    expect(errorOf(await signIn(person, otpOf(secret)))).toEqual(wrong)
  })

  it('can be one of ten recovery codes, each of which works once', async () => {
    const { person, codes } = await withFactor()
    for (const code of codes) expect((await signIn(person, code)).status).toBe(200)
    expect(errorOf(await signIn(person, codes[0]))).toEqual(wrong)
  })

  it('of another person is refused', async () => {
    const [one, other] = [await withFactor(), await withFactor()]
    expect(errorOf(await signIn(one.person, otpOf(other.secret)))).toEqual(wrong)
    expect(errorOf(await signIn(one.person, other.codes[0]))).toEqual(wrong)
  })

  /** Starts `count` sign-ins that all wait for the account, lets them continue, and returns their answers. */
  async function atOnce(count: number, person: Person, otp: string) {
    const held = await holdTransaction(auth.database, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [String(person.id)])
    const answers = Promise.all(Array.from({ length: count }, () => signIn(person, otp, 'expert', { 'x-forwarded-for': randomAddress() })))
    await untilWaiting(auth.database, count)
    await held.commit()
    return (await answers).map(({ status }) => status)
  }

  it.each(['totp', 'recovery code'])(
    'is accepted for one of fifty concurrent sign-ins: %s',
    async (kind) => {
      const { person, secret, codes } = await withFactor()
      const statuses = await atOnce(50, person, kind === 'totp' ? otpOf(secret) : (codes[0] as string))
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      // The session of the sign-in, and the one that set the second factor up.
      expect(await auth.database.rows('SELECT FROM sessions WHERE user_id = $1 AND ended IS NULL', [String(person.id)])).toHaveLength(2)
    },
    60_000,
  )
})

describe('wrong codes', () => {
  it('count like wrong passwords: after ten of both 429, also with the right code', async () => {
    const { person, secret } = await withFactor()
    const headers = { 'x-forwarded-for': randomAddress() }
    const tries = (otp?: string, password = person.password) => signIn({ ...person, password }, otp, 'expert', headers)
    for (let i = 0; i < 5; i++) expect((await tries(wrongOtpOf(secret))).status).toBe(400)
    for (let i = 0; i < 5; i++) expect((await tries(undefined, 'a wrong password')).status).toBe(400)
    expect((await tries(otpOf(secret))).status).toBe(429)
  })

  it('count although the password is right', async () => {
    const { person, secret } = await withFactor()
    const headers = { 'x-forwarded-for': randomAddress() }
    for (let i = 0; i < 10; i++) {
      expect(errorOf(await signIn(person, undefined, 'expert', headers))).toEqual(required)
      expect((await signIn(person, wrongOtpOf(secret), 'expert', headers)).status).toBe(400)
    }
    expect((await signIn(person, otpOf(secret), 'expert', headers)).status).toBe(429)
  })

  it('are recorded in the audit trail, and so is the kind of an accepted code', async () => {
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

describe('a sign-in with the password alone, concurrent with the confirmation of a second factor', () => {
  const meeting = async () => {
    const person = (await auth.office()).trainee
    const http = await auth.asExpert(person)
    const { secret } = (await begin(http, person)).body.SecondFactor
    const held = await holdTransaction(auth.database, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [String(person.id)])
    return { held, signsIn: () => signIn(person), switchesOn: () => confirm(http, otpOf(secret)) }
  }

  it('requires the code when it comes second', async () => {
    const { held, signsIn, switchesOn } = await meeting()
    const switched = switchesOn()
    await untilWaiting(auth.database, 1)
    const signedIn = signsIn()
    await untilWaiting(auth.database, 2)
    await held.commit()
    expect((await switched).status).toBe(200)
    expect(errorOf(await signedIn)).toEqual(required)
  })

  it('is ended when it comes first', async () => {
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
