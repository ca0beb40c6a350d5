import type { HttpClient } from '@caseway/testing'
import { otpOf } from '@caseway/testing/one-time-password'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, startAuthService } from '../support/auth.js'
import { ownPath, secondFactors } from '../support/second-factor.js'

let auth: Auth
const { setUp, later, signIn } = secondFactors(() => auth)
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const demands = (administrator: HttpClient, second_factor: unknown) => administrator.put('/customer/me', { Customer: { second_factor } })
const missing = { errorCode: 'SECOND_FACTOR_MISSING', errorMessages: 'A second factor must be set up first.' }

async function demandingOffice() {
  const office = await auth.office()
  const administrator = await auth.asExpert(office.administrator)
  expect((await demands(administrator, '1')).status).toBe(200)
  return { office, administrator }
}
const refreshed = async (http: HttpClient, refresh_token: string) => {
  const { body } = await auth.token({ grant_type: 'refresh_token', client_id: auth.clientId, refresh_token })
  return http.as(body.access_token)
}

describe('an office that requires a second factor', () => {
  it('limits a session without one to its setup, until it is refreshed', async () => {
    const { office, administrator } = await demandingOffice()
    const signedIn = await auth.signIn(office.trainee)
    const http = administrator.as(signedIn.access_token)
    for (const [method, path] of [
      ['GET', '/user'],
      ['GET', '/user/me'],
      ['PUT', '/user/me'],
      ['DELETE', '/token'],
      ['DELETE', ownPath.expert],
    ] as const) {
      const { status, body } = await http.request(method, path, method === 'PUT' ? { User: { firstname: 'Eva' } } : undefined)
      expect([method, path, status, body]).toMatchObject([method, path, 403, missing])
    }
    expect((await http.get(ownPath.expert)).body).toMatchObject({ SecondFactor: { enabled: '0', required: '1' } })
    await setUp(http, office.trainee)
    expect((await http.get('/user')).status).toBe(403)
    const after = await refreshed(http, signedIn.refresh_token)
    expect((await after.get('/user')).status).toBe(200)
    expect((await after.get(ownPath.expert)).body).toMatchObject({ SecondFactor: { enabled: '1', required: '1' } })
  })

  it('affects present sessions with their next refresh', async () => {
    const office = await auth.office()
    const signedIn = await auth.signIn(office.trainee)
    const administrator = await auth.asExpert(office.administrator)
    await demands(administrator, 1)
    const http = await refreshed(administrator, signedIn.refresh_token)
    expect([(await http.get('/user')).status, (await http.get('/user')).body]).toMatchObject([403, missing])
  })

  it('does not allow its removal while it is required', async () => {
    const { office, administrator } = await demandingOffice()
    const { trainee } = office
    const { codes } = await setUp(administrator.as((await auth.signIn(trainee)).access_token), trainee)
    const http = administrator.as((await signIn(trainee, codes[0])).body.access_token)
    const off = () => http.request('DELETE', ownPath.expert, { SecondFactor: { current_password: trainee.password, otp: codes[1] } })
    const refused = await off()
    expect([refused.status, refused.body]).toMatchObject([409, { errorCode: 'SECOND_FACTOR_DEMANDED' }])
    expect((await demands(administrator, '0')).status).toBe(200)
    expect((await off()).status).toBe(200)
  })

  it('requires an expired password to be changed first', async () => {
    const { office, administrator } = await demandingOffice()
    const password = 'made by the command line'
    await auth.service.administration.setPassword({ kind: 'employee', id: office.trainee.id }, password, { expired: true })
    const signedIn = await auth.signIn({ ...office.trainee, password })
    const http = administrator.as(signedIn.access_token)
    expect((await http.get(ownPath.expert)).body).toMatchObject({ errorCode: 'PASSWORD_EXPIRED' })
    const own = { password: 'a password of my own', current_password: password }
    expect((await http.put('/user/me', { User: own })).status).toBe(200)
    const after = await refreshed(http, signedIn.refresh_token)
    expect((await after.get('/user')).body).toMatchObject(missing)
    await setUp(after, { ...office.trainee, password: own.password })
  })

  it('shows the setting to its employees, lets only administrators change it, and affects neither other offices nor clients', async () => {
    const { office, administrator } = await demandingOffice()
    expect((await administrator.get('/customer/me')).body).toMatchObject({ Customer: { second_factor: '1' } })
    const others = await auth.office()
    expect((await demands(await auth.asExpert(others.expert), '1')).status).toBe(403)
    expect((await demands(await auth.asExpert(others.administrator), null)).status).toBe(400)
    expect((await (await auth.asExpert(others.trainee)).get('/user')).status).toBe(200)
    expect((await (await auth.asClient(await auth.client(office))).get('/client/me')).status).toBe(200)
  })
})

describe('a lost second factor', () => {
  const withFactor = async () => {
    const office = await auth.office()
    const factor = await setUp(await auth.asExpert(office.trainee), office.trainee)
    const as = async (role: 'administrator' | 'expert' | 'specialist') => auth.asExpert(office[role])
    return { office, as, path: `/user/${office.trainee.id}/second_factor`, ...factor }
  }

  it('can be removed by a colleague who may set the person’s password: the password alone signs in, and the sessions end', async () => {
    const { office, as, path, secret } = await withFactor()
    await later(office.trainee)
    const { refresh_token } = (await signIn(office.trainee, otpOf(secret))).body
    const http = await as('expert')
    const { status, body } = await http.delete(path)
    expect([status, body]).toEqual([200, { status: 'OK' }])
    expect((await auth.token({ grant_type: 'refresh_token', client_id: auth.clientId, refresh_token })).status).toBe(400)
    expect((await signIn(office.trainee)).status).toBe(200)
    expect((await http.delete(path)).status).toBe(404)
    const trail = await (await as('administrator')).get('/audit_event?kind=second_factor.reset')
    expect(trail.body).toEqual([
      {
        AuditEvent: expect.objectContaining({
          ...{ actor: `employee:${office.expert.id}`, subject: `employee:${office.trainee.id}`, details: '{}' },
        }),
      },
    ])
  })

  it('cannot be removed without the right, of a person with a higher base role, or at another office', async () => {
    const { office, as, path } = await withFactor()
    expect((await (await as('specialist')).delete(path)).status).toBe(403)
    await setUp(await as('administrator'), office.administrator)
    expect((await (await as('expert')).delete(`/user/${office.administrator.id}/second_factor`)).status).toBe(403)
    expect((await (await auth.asExpert((await auth.office()).administrator)).delete(path)).status).toBe(404)
    expect((await signIn(office.trainee)).body.errorCode).toBe('SECOND_FACTOR_REQUIRED')
  })

  it.each(['administrator', 'expert'] as const)('cannot be removed so by its owner: an %s needs the password and a code', async (role) => {
    const { [role]: person } = await auth.office()
    const http = await auth.asExpert(person)
    await setUp(http, person)
    const { status, body } = await http.delete(`/user/${person.id}/second_factor`)
    expect([status, body]).toMatchObject([409, { errorCode: 'OWN_SECOND_FACTOR' }])
    expect((await signIn(person)).body.errorCode).toBe('SECOND_FACTOR_REQUIRED')
  })
})
