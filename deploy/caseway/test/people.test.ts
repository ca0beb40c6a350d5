import { randomUUID } from 'node:crypto'
import { otpOf } from '@caseway/testing/one-time-password'
import { afterAll, describe, expect, it } from '@jest/globals'
import { documentOf, installationWithAuth, newEmail } from './support/installation.js'

const { place, auth, stop } = await installationWithAuth()
afterAll(stop)

describe('second-factor reset', () => {
  it('allows a sign-in with the password alone, and ends the sessions', async () => {
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

  it('fails without a second factor, and for an unknown address', async () => {
    const { username } = await place.office()
    const failed = (err: string) => ({ code: 1, out: '', err })
    expect(await place.caseway('second-factor', 'reset', '--email', username)).toEqual(failed(`${username} has no second factor.`))
    expect(await place.caseway('second-factor', 'reset', '--email', username, '--client')).toEqual(
      failed(`No client signs in as ${username}.`),
    )
  })
})

describe('password reset', () => {
  it('sets a new password and ends the sessions', async () => {
    const { username, password, user_id } = await place.office()
    const before = await auth.signIn({ username, password })
    const reset = documentOf(await place.caseway('password', 'reset', '--email', username, '--json'))
    expect(reset).toEqual({ user_id, username, password: expect.any(String) })
    expect(await auth.signIn({ username, password })).toMatchObject({ status: 400 })
    expect((await auth.as(await auth.signIn(reset)).get('/user')).status).toBe(403)
    expect(await auth.refresh(before.refreshToken)).toBe(400)
    expect(await auth.signIn(reset)).toMatchObject({ status: 200 })
  })

  it('resets the passwords of clients, too', async () => {
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

  it('reports an unknown address', async () => {
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

  it('sets and removes the external user id, each with an entry in the audit trail', async () => {
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

  it('reports an unknown address, and a missing change', async () => {
    const { email } = await newClient()
    expect((await change('nobody@client.test', '--no-external-user-id')).err).toBe('No client signs in as nobody@client.test.')
    const nothing = 'There is nothing to change: give --external-user-id <id> or --no-external-user-id.'
    expect(await change(email)).toEqual({ code: 2, out: '', err: nothing })
  })

  it.each([
    ['sets and then takes away', ['--external-user-id', 'a', '--no-external-user-id']],
    ['takes away and then sets', ['--no-external-user-id', '--external-user-id', 'a']],
  ])('refuses a command that %s the id', async (_, options) => {
    const { id, email } = await newClient()
    const either = 'Give either --external-user-id <id> or --no-external-user-id, not both.'
    expect(await change(email, ...options)).toEqual({ code: 2, out: '', err: either })
    expect(await externalIdOf(id)).toEqual({ external_user_id: null })
  })
})
