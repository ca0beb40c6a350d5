import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, startAuthService } from '../support/auth.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const everybody = ['administrator', 'expert', 'specialist', 'trainee'] as const

describe('/rest/user/me', () => {
  it.each(everybody)('is the own record of an %s, who changes their names', async (role) => {
    const { [role]: person } = await auth.office()
    const http = await auth.asExpert(person)
    const { body } = await http.get<{ User: { id: string } }>('/user/me')
    expect(body).toEqual((await http.get(`/user/${person.id}`)).body)
    expect(body.User.id).toBe(String(person.id))
    const changes = { firstname: 'Eva', lastname: 'Lis', phone: '+48 600' }
    const { status, body: answer } = await http.put('/user/me', { User: changes })
    expect([status, answer]).toEqual([200, { status: 'OK' }])
    expect((await http.get('/user/me')).body).toMatchObject({ User: changes })
    expect((await http.put('/user/me', { User: { phone: null } })).status).toBe(200)
    expect((await http.get('/user/me')).body).toMatchObject({ User: { ...changes, phone: null } })
  })

  it('ignores fields that the person may not change', async () => {
    const { trainee } = await auth.office()
    const http = await auth.asExpert(trainee)
    const before = (await http.get<{ User: object }>('/user/me')).body.User
    const { status } = await http.put('/user/me', {
      User: { user_role_id: '1', active: '0', customer_id: '1', id: '1' },
    })
    expect(status).toBe(200)
    expect((await http.get<{ User: object }>('/user/me')).body.User).toEqual({ ...before, modified: expect.any(String) })
  })

  it('requires the current password for a new one', async () => {
    const { trainee } = await auth.office()
    const http = await auth.asExpert(trainee)
    const sets = (User: object) => http.put('/user/me', { User: { password: 'another password', ...User } })
    const without = await sets({})
    expect([without.status, without.body]).toEqual([400, { status: 'error', errorMessages: { current_password: 'is required' } }])
    const wrong = await sets({ current_password: 'a wrong password', firstname: 'Eva' })
    expect([wrong.status, wrong.body]).toEqual([400, { status: 'error', errorMessages: { current_password: 'is incorrect' } }])
    const short = await sets({ current_password: trainee.password, password: 'short' })
    expect([short.status, short.body]).toMatchObject([400, { errorMessages: { password: expect.any(String) } }])
    expect((await http.get('/user/me')).body).toMatchObject({ User: { firstname: 'Ada' } })
    await auth.signIn(trainee)
    expect((await sets({ current_password: trainee.password })).status).toBe(200)
    await expect(auth.signIn(trainee)).rejects.toThrow('invalid_grant')
    await auth.signIn({ ...trainee, password: 'another password' })
  })

  it.each(['administrator', 'expert'] as const)('is where an %s changes their password and address, and not by their id', async (role) => {
    const { [role]: person } = await auth.office()
    const http = await auth.asExpert(person)
    const path = `/user/${person.id}`
    const changes = { password: 'another password', email: `own.${person.username}` }
    const elsewhere = 'is changed by PUT /rest/user/me, with current_password'
    const before = (await http.get<{ User: object }>(path)).body.User
    const { status, body } = await http.put(path, { User: { ...before, ...changes } })
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { password: elsewhere, email: elsewhere } }])
    expect((await http.get(path)).body).toEqual({ User: before })
    expect((await http.put(path, { User: before })).status).toBe(200)
    await auth.signIn(person)
  })

  it('refuses the same password and common ones', async () => {
    const { trainee } = await auth.office()
    const http = await auth.asExpert(trainee)
    const sets = async (password: string) => {
      const { status, body } = await http.put('/user/me', { User: { password, current_password: trainee.password } })
      return [status, body]
    }
    const refused = (text: string) => [400, { status: 'error', errorMessages: { password: text } }]
    expect(await sets('Qwertyuiop')).toEqual(refused('must not be one of the 100,000 most common passwords'))
    expect(await sets('ninechars')).toEqual(refused('must be at least 10 characters'))
    expect(await sets(trainee.password)).toEqual(refused('must not be the present one'))
    expect((await sets('a password of my own'))[0]).toBe(200)
  })

  it('is the only resource for a person with an expired password, until they have set another one', async () => {
    const { trainee } = await auth.office()
    const password = 'made by the command line'
    await auth.service.administration.setPassword({ kind: 'employee', id: trainee.id }, password, { expired: true })
    const signedIn = await auth.signIn({ ...trainee, password })
    const http = (await auth.asExpert((await auth.office()).trainee)).as(signedIn.access_token)
    const expired = { errorCode: 'PASSWORD_EXPIRED', errorMessages: 'The password must be changed first.' }
    for (const [method, path] of [
      ['GET', '/user/me'],
      ['GET', '/user'],
      ['DELETE', '/token'],
      ['PUT', `/user/${trainee.id}`],
    ] as const) {
      const { status, body } = await http.request(method, path, method === 'PUT' ? { User: { firstname: 'Eva' } } : undefined)
      expect([method, path, status, body]).toMatchObject([method, path, 403, expired])
    }
    const named = await http.put('/user/me', { User: { firstname: 'Eva' } })
    expect([named.status, named.body]).toMatchObject([403, expired])
    const own = { password: 'a password of my own', current_password: password }
    expect((await http.put('/user/me', { User: own })).status).toBe(200)
    const refreshed = await auth.token({ grant_type: 'refresh_token', client_id: auth.clientId, refresh_token: signedIn.refresh_token })
    expect((await http.as(refreshed.body.access_token).get('/user/me')).status).toBe(200)
  })

  it('limits attempts with a wrong current password', async () => {
    const { trainee } = await auth.office()
    const http = await auth.asExpert(trainee)
    const guess = (current_password: string) => http.put('/user/me', { User: { password: 'another password', current_password } })
    for (let i = 0; i < 10; i++) expect((await guess(`guess ${i}`)).status).toBe(400)
    const eleventh = await guess(trainee.password)
    expect([eleventh.status, Number(eleventh.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    await auth.signIn(trainee)
  })

  it('limits only the person who failed, not others', async () => {
    const [one, other] = [(await auth.office()).trainee, (await auth.office()).trainee]
    const [http, others] = [await auth.asExpert(one), await auth.asExpert(other)]
    const change = (current_password: string) => ({ User: { password: 'another password', current_password } })
    expect((await http.put('/user/me', change('a wrong password'))).status).toBe(400)
    await auth.database.rows(
      "UPDATE kit.rate_limit SET points = 100 WHERE key LIKE 'login-address:employee:%' OR key LIKE 'login-address:signed in'",
    )
    expect((await http.put('/user/me', change(one.password))).status).toBe(429)
    expect((await others.put('/user/me', change(other.password))).status).toBe(200)
  })

  it('names the invalid fields', async () => {
    const http = await auth.asExpert((await auth.office()).trainee)
    const { status, body } = await http.put('/user/me', { User: { firstname: '', lastname: ' ', phone: 'x'.repeat(41) } })
    expect([status, body]).toEqual([
      400,
      { status: 'error', errorMessages: { firstname: expect.any(String), lastname: expect.any(String), phone: expect.any(String) } },
    ])
    expect((await http.put('/user/me', { firstname: 'Eva' })).body).toMatchObject({ errorMessages: { User: 'is required' } })
  })

  it('is not overwritten by a request with an older version', async () => {
    const http = await auth.asExpert((await auth.office()).trainee)
    const etag = (await http.get('/user/me')).headers.get('etag') ?? ''
    const puts = (tag: string) => http.put('/user/me', { User: { firstname: 'Eva' } }, { 'if-match': tag })
    expect((await puts(etag)).status).toBe(200)
    expect((await puts(etag)).status).toBe(412)
    expect((await puts('nonsense')).status).toBe(412)
    expect((await puts('*')).status).toBe(200)
  })

  it('is for employees with a token only', async () => {
    const office = await auth.office()
    const http = await auth.asExpert(office.expert)
    const client = await auth.signIn(await auth.client(office), 'client')
    for (const method of ['GET', 'PUT']) {
      const sent = method === 'PUT' ? { User: { firstname: 'Eva' } } : undefined
      expect((await http.as(undefined).request(method, '/user/me', sent)).status).toBe(401)
      expect((await http.as(client.access_token).request(method, '/user/me', sent)).status).toBe(401)
    }
  })
})
