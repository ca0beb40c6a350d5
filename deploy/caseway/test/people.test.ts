import { randomBytes, randomUUID } from 'node:crypto'
import { otpOf } from '@caseway/testing/one-time-password'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type AuthBeside, authBeside, caseway, createOffice, documentOf, type Installation, installation } from './support/installation.js'

let place: Installation
let auth: AuthBeside
beforeAll(async () => {
  place = await installation()
  auth = await authBeside(place)
})
afterAll(async () => {
  await auth.stop()
  await place.drop()
})
const newEmail = () => `${randomUUID()}@office.test`

describe('application create', () => {
  const create = (clientId: string, kind: string) =>
    place.caseway('application', 'create', '--client-id', clientId, '--name', 'A program', '--kind', kind, '--json')

  it('lets a frontend ask for tokens without a secret, and an external platform with one', async () => {
    const [frontend, platform] = [randomUUID(), randomUUID()]
    expect(documentOf(await create(frontend, 'first_party'))).toEqual({ client_id: frontend, client_secret: null })
    const made = documentOf(await create(platform, 'technical'))
    expect(made).toEqual({ client_id: platform, client_secret: expect.stringMatching(/^.{43}$/) })
    expect(
      await place.auth.rows('SELECT kind, secret_hash IS NULL AS open FROM applications WHERE client_id = ANY($1) ORDER BY kind', [
        [frontend, platform],
      ]),
    ).toEqual([
      { kind: 'first_party', open: true },
      { kind: 'technical', open: false },
    ])
  })

  it('makes one of two at once, and tells the other', async () => {
    const clientId = randomUUID()
    const results = await Promise.all([create(clientId, 'technical'), create(clientId, 'technical')])
    expect(results.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(results.find(({ code }) => code === 1)?.err).toBe(`There is an application ${clientId} already.`)
  })

  it('leaves one that is there as it is, and says what it does not understand', async () => {
    const clientId = randomUUID()
    await create(clientId, 'technical')
    expect(await create(clientId, 'first_party')).toMatchObject({ code: 1, err: `There is an application ${clientId} already.` })
    expect(await place.auth.rows('SELECT kind FROM applications WHERE client_id = $1', [clientId])).toEqual([{ kind: 'technical' }])
    expect(await create(randomUUID(), 'public')).toMatchObject({ code: 2 })
    expect(await create('', 'technical')).toMatchObject({ code: 2 })
  })
})

describe('office create', () => {
  it('makes an office whose administrator can sign in', async () => {
    const email = newEmail()
    const made = documentOf(await place.caseway(...createOffice(email), '--json'))
    expect(made).toEqual({ customer_id: expect.any(String), user_id: expect.any(String), username: email, password: expect.any(String) })
    expect(await auth.signIn(made)).toMatchObject({ status: 200 })
    expect(await place.auth.rows('SELECT name, time_zone FROM customers WHERE id = $1', [made.customer_id])).toEqual([
      { name: 'Nowak', time_zone: 'Europe/Lisbon' },
    ])
  })

  it('gives a password that has to be changed before anything else', async () => {
    const made = documentOf(await place.caseway(...createOffice(newEmail()), '--json'))
    const signedIn = await auth.signIn(made)
    const { status, body } = await auth.as(signedIn).get('/user')
    expect([status, body]).toMatchObject([403, { errorCode: 'PASSWORD_EXPIRED' }])
    const sent = { User: { password: 'a password of my own', current_password: made.password } }
    expect((await auth.as(signedIn).put('/user/me', sent)).status).toBe(200)
    const again = await auth.signIn({ ...made, password: 'a password of my own' })
    expect((await auth.as(again).get('/user')).status).toBe(200)
  })

  it('tells people the same', async () => {
    const email = newEmail()
    const { code, out, err } = await place.caseway(...createOffice(email))
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const [, password = ''] = /Password {3}(\S+)/.exec(out) ?? []
    expect(await auth.signIn({ username: email, password })).toMatchObject({ status: 200 })
  })

  it('refuses an address that somebody has, and makes no office', async () => {
    const { username } = await place.office()
    const offices = () => place.auth.rows('SELECT FROM customers')
    const before = await offices()
    expect(await place.caseway(...createOffice(username))).toEqual({ code: 1, out: '', err: 'The email is already used.' })
    expect(await offices()).toEqual(before)
  })
})

describe('what an office says of itself', () => {
  const profile = ['--street', 'Długa 2', '--zip', '00-002', '--city', 'Kraków', '--voivodeship', '6', '--office-email', 'a@b.example']
  const said = { street: 'Długa 2', zip: '00-002', city: 'Kraków', voivodeship: 6, email: 'a@b.example' }
  const officeOf = async (id: string) =>
    (await place.auth.rows('SELECT name, street, zip, city, voivodeship, phone, email, url FROM customers WHERE id = $1', [id]))[0]

  it('is given at its creation', async () => {
    const made = documentOf(await place.caseway(...createOffice(newEmail()), ...profile, '--json'))
    expect(await officeOf(made.customer_id)).toEqual({ name: 'Nowak', ...said, phone: null, url: null })
  })

  it('is changed where it is given', async () => {
    const { customer_id } = await place.office()
    await place.caseway('office', 'change', '--office', customer_id, ...profile)
    const change = ['office', 'change', '--office', customer_id, '--phone', '+48 1', '--url', 'https://b.example', '--name', 'Kowalski']
    expect((await place.caseway(...change)).out).toBe(`Office ${customer_id} is changed.`)
    expect(await officeOf(customer_id)).toEqual({ name: 'Kowalski', ...said, phone: '+48 1', url: 'https://b.example' })
    const trail = await place.auth.rows(
      "SELECT details, actor FROM audit_events WHERE kind = 'office.changed' AND customer_id = $1 ORDER BY id",
      [customer_id],
    )
    expect(trail.at(-1)).toEqual({ details: { fields: 'name phone url' }, actor: 'command line' })
  })

  it('is not changed where nothing is given, or nobody is', async () => {
    const { customer_id } = await place.office()
    expect(await place.caseway('office', 'change', '--office', customer_id)).toMatchObject({
      code: 1,
      err: expect.stringContaining('nothing'),
    })
    expect(await place.caseway('office', 'change', '--office', '999999999', '--city', 'Kraków')).toMatchObject({
      code: 1,
      err: 'Not found.',
    })
    expect(await place.caseway('office', 'change', '--office', customer_id, '--voivodeship', '17')).toMatchObject({ code: 2 })
  })
})

describe('second-factor reset', () => {
  it('lets somebody in with the password alone, and ends the sessions', async () => {
    const [username, password] = [newEmail(), randomUUID()]
    const person = { email: username, password, firstname: 'Jan', lastname: 'Kos', role: 'trainee' } as const
    const user_id = String(await auth.service.administration.createUser(BigInt((await place.office()).customer_id), person))
    const http = auth.as(await auth.signIn({ username, password }))
    const begun = await http.post<{ SecondFactor: { secret: string } }>('/user/me/second_factor', {
      SecondFactor: { current_password: password },
    })
    const otp = otpOf(begun.body.SecondFactor.secret)
    expect((await http.put('/user/me/second_factor', { SecondFactor: { otp } })).status).toBe(200)
    expect((await auth.signIn({ username, password })).status).toBe(400)
    expect(documentOf(await place.caseway('second-factor', 'reset', '--email', username, '--json'))).toEqual({ user_id })
    expect((await auth.signIn({ username, password })).status).toBe(200)
    expect(await place.auth.rows('SELECT FROM sessions WHERE user_id = $1 AND ended IS NULL', [user_id])).toHaveLength(1)
    const [trail] = await place.auth.rows(
      "SELECT actor, customer_id IS NOT NULL AS office FROM audit_events WHERE kind = 'second_factor.reset'",
    )
    expect(trail).toEqual({ actor: 'command line', office: true })
  })

  it('fails where there is none, and where there is nobody', async () => {
    const { username } = await place.office()
    const failed = (err: string) => ({ code: 1, out: '', err })
    expect(await place.caseway('second-factor', 'reset', '--email', username)).toEqual(failed(`${username} has no second factor.`))
    expect(await place.caseway('second-factor', 'reset', '--email', username, '--client')).toEqual(
      failed(`No client signs in as ${username}.`),
    )
  })
})

describe('password reset', () => {
  it('gives a new password and ends the sessions', async () => {
    const { username, password, user_id } = await place.office()
    const before = await auth.signIn({ username, password })
    const reset = documentOf(await place.caseway('password', 'reset', '--email', username, '--json'))
    expect(reset).toEqual({ user_id, username, password: expect.any(String) })
    expect(await auth.signIn({ username, password })).toMatchObject({ status: 400 })
    expect((await auth.as(await auth.signIn(reset)).get('/user')).status).toBe(403)
    expect(await auth.refresh(before.refreshToken)).toBe(400)
    expect(await auth.signIn(reset)).toMatchObject({ status: 200 })
  })

  it('is for clients, too', async () => {
    const { customer_id } = await place.office()
    const email = newEmail()
    await auth.service.administration.createClient(BigInt(customer_id), {
      email,
      firstname: 'Jan',
      lastname: 'Kos',
      password: randomUUID(),
    })
    const reset = documentOf(await place.caseway('password', 'reset', '--email', email, '--client', '--json'))
    const client = auth.as(await auth.signIn(reset, 'client'), 'client')
    const { status, body } = await client.get('/client/me')
    expect([status, body]).toMatchObject([403, { errorCode: 'PASSWORD_EXPIRED' }])
    const own = { password: 'a password of my own', current_password: reset.password }
    expect((await client.put('/client/me', { Client: own })).status).toBe(200)
    const again = auth.as(await auth.signIn({ ...reset, password: own.password }, 'client'), 'client')
    expect((await again.get('/client/me')).status).toBe(200)
  })

  it('says that nobody has the address', async () => {
    const { username } = await place.office()
    const unknown = await place.caseway('password', 'reset', '--email', 'nobody@office.test')
    expect(unknown).toEqual({ code: 1, out: '', err: 'No employee signs in as nobody@office.test.' })
    const employee = await place.caseway('password', 'reset', '--client', '--email', username, '--json')
    expect(employee).toEqual({ code: 1, out: '', err: `No client signs in as ${username}.` })
  })
})

describe('client change', () => {
  const newClient = async () => {
    const { customer_id } = await place.office()
    const [email, person] = [newEmail(), { firstname: 'Jan', lastname: 'Kos', password: randomUUID() }]
    const id = await auth.service.administration.createClient(BigInt(customer_id), { email, ...person })
    return { id: String(id), email }
  }
  const externalIdOf = async (id: string) => (await place.auth.rows('SELECT external_user_id FROM clients WHERE id = $1', [id]))[0]
  const change = (email: string, ...argv: string[]) => place.caseway('client', 'change', '--email', email, ...argv)

  it('sets the external user id, and takes it away, each with its entry in the trail', async () => {
    const { id, email } = await newClient()
    const externalId = randomUUID()
    const made = documentOf(await change(email, '--external-user-id', externalId, '--json'))
    expect(made).toEqual({ client_id: id, username: email, external_user_id: externalId })
    expect(await externalIdOf(id)).toEqual({ external_user_id: externalId })
    expect(await change(email, '--no-external-user-id')).toEqual({ code: 0, out: `Client ${id} has no external user id.`, err: '' })
    expect(await externalIdOf(id)).toEqual({ external_user_id: null })
    const [{ version } = {}] = await place.auth.rows<{ version: number }>('SELECT version FROM clients WHERE id = $1', [id])
    expect(version).toBe(3)
    const trail = await place.auth.rows("SELECT kind, details FROM audit_events WHERE subject = $1 AND kind = 'client.changed'", [
      `client:${id}`,
    ])
    expect(trail).toEqual([1, 2].map(() => ({ kind: 'client.changed', details: { fields: 'external_user_id' } })))
  })

  it('refuses an id that another client has', async () => {
    const [one, other] = [await newClient(), await newClient()]
    const externalId = randomUUID()
    await change(one.email, '--external-user-id', externalId)
    const refused = await change(other.email, '--external-user-id', externalId)
    expect(refused).toEqual({ code: 1, out: '', err: 'The external_user_id is already used.' })
    expect(await externalIdOf(other.id)).toEqual({ external_user_id: null })
  })

  it('says that nobody has the address, and that nothing is asked for', async () => {
    const { email } = await newClient()
    expect((await change('nobody@client.test', '--no-external-user-id')).err).toBe('No client signs in as nobody@client.test.')
    expect((await change(email)).err).toBe('There is nothing to change: say --external-user-id <id> or --no-external-user-id.')
  })
})

describe('key rotate', () => {
  it('makes a key that is published and signs', async () => {
    const { kid } = documentOf(await place.caseway('key', 'rotate', '--json'))
    const { keys } = (await (await fetch(`${auth.service.httpUrl}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }
    expect(keys.map((key) => key.kid)).toContain(kid)
    const { out } = await place.caseway('key', 'rotate')
    expect(out).toMatch(/^Key \S+ signs from now on\./)
    expect(out).not.toContain(kid)
  })
  it('revokes the others when it is asked to', async () => {
    const { kid, revoked } = documentOf(await place.caseway('key', 'rotate', '--revoke', '--json'))
    const { keys } = (await (await fetch(`${auth.service.httpUrl}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }
    expect([keys.map((key) => key.kid), revoked]).toEqual([[kid], true])
  })

  it('is refused where the secret is another one', async () => {
    const kids = () => place.auth.rows('SELECT kid FROM signing_keys ORDER BY kid')
    const before = await kids()
    const env = { ...place.env, AUTH_SECRET: randomBytes(32).toString('base64') }
    expect(await caseway(env, 'key', 'rotate')).toEqual({
      code: 1,
      out: '',
      err: 'AUTH_SECRET is not the secret that sealed the signing-keys of this database.',
    })
    expect(await kids()).toEqual(before)
  })
})

describe('secret rotate', () => {
  it('encrypts the keys with the new secret, with which alone the installation goes on', async () => {
    const next = randomBytes(32).toString('base64')
    const both = { ...place.env, AUTH_SECRET: next, AUTH_SECRET_PREVIOUS: place.env.AUTH_SECRET }
    expect(documentOf(await caseway(both, 'secret', 'rotate', '--json'))).toEqual({ keys: expect.any(Number), second_factors: 0 })
    expect(await caseway({ ...place.env, AUTH_SECRET: next }, 'key', 'rotate')).toMatchObject({ code: 0, err: '' })
    expect(await place.caseway('key', 'rotate')).toMatchObject({ code: 1 })
    const back = { ...place.env, AUTH_SECRET_PREVIOUS: next }
    expect(documentOf(await caseway(back, 'secret', 'rotate', '--json'))).toMatchObject({ keys: expect.any(Number) })
    expect(await place.caseway('key', 'rotate')).toMatchObject({ code: 0 })
  })
})
