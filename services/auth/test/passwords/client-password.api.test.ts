import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, type Person, startAuthService } from '../support/auth.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const expired = { errorCode: 'PASSWORD_EXPIRED', errorMessages: 'The password must be changed first.' }
const own = 'a password of my own'

/** A client who has signed in. */
async function someClient() {
  const person = await auth.client(await auth.office())
  const http = await auth.asClient(person)
  const sets = (Client: object) => http.put('/client/me', { Client: { password: own, ...Client } })
  return { person, http, sets }
}
const confirmed = async ({ id }: Person) =>
  (await auth.database.rows<{ at: Date | null }>('SELECT names_confirmed AS at FROM clients WHERE id = $1', [String(id)]))[0]?.at

describe('the password of a client', () => {
  it('requires the current one to be changed', async () => {
    const { person, sets } = await someClient()
    const refusal = async (sent: object) => {
      const { status, body } = await sets(sent)
      return [status, body]
    }
    const refused = (errorMessages: object) => [400, { status: 'error', errorMessages }]
    expect(await refusal({})).toEqual(refused({ current_password: 'is required' }))
    expect(await refusal({ current_password: 'a wrong password' })).toEqual(refused({ current_password: 'is incorrect' }))
    const present = { current_password: person.password }
    expect(await refusal({ ...present, password: person.password })).toEqual(refused({ password: 'must not be the present one' }))
    expect(await refusal({ ...present, password: 'short' })).toEqual(refused({ password: 'must be at least 10 characters' }))
    await auth.signIn(person, 'client')
    expect((await sets(present)).status).toBe(200)
    await expect(auth.signIn(person, 'client')).rejects.toThrow('invalid_grant')
    await auth.signIn({ ...person, password: own }, 'client')
  })

  it('ends all other sessions when it is changed, and is recorded', async () => {
    const { person, sets } = await someClient()
    const [kept, other] = [await auth.signIn(person, 'client'), await auth.signIn(person, 'client')]
    const http = (await auth.asClient(await auth.client(await auth.office()))).as(kept.access_token)
    expect((await http.put('/client/me', { Client: { password: own, current_password: person.password } })).status).toBe(200)
    const refreshed = ({ refresh_token }: { refresh_token: string }) =>
      auth.token({ grant_type: 'refresh_token', client_id: auth.clientId, refresh_token }, 'client')
    expect([(await refreshed(kept)).status, (await refreshed(other)).status]).toEqual([200, 400])
    expect((await sets({ current_password: 'a wrong password' })).status).toBe(400)
    const trail = await auth.database.rows<{ kind: string }>(
      'SELECT kind FROM audit_events WHERE subject = $1 AND kind LIKE $2 ORDER BY id',
      [`client:${person.id}`, 'password.%'],
    )
    expect(trail.map(({ kind }) => kind)).toEqual(['password.changed', 'password.refused'])
  })

  it('confirms no names', async () => {
    const { person, sets } = await someClient()
    await auth.database.rows('UPDATE clients SET names_confirmed = NULL WHERE id = $1', [String(person.id)])
    expect((await sets({ current_password: person.password })).status).toBe(200)
    expect(await confirmed(person)).toBeNull()
    expect((await sets({ current_password: own, password: 'another of my own', firstname: 'Ewa' })).status).toBe(200)
    expect(await confirmed(person)).not.toBeNull()
  })

  it('must be changed before anything else when it has expired', async () => {
    const { person } = await someClient()
    const password = 'made by the command line'
    await auth.service.administration.setPassword({ kind: 'client', id: person.id }, password, { expired: true })
    const signedIn = await auth.signIn({ ...person, password }, 'client')
    const http = (await someClient()).http.as(signedIn.access_token)
    for (const path of ['/client/me', '/customer_user_link']) {
      const { status, body } = await http.get(path)
      expect([path, status, body]).toMatchObject([path, 403, expired])
    }
    const named = await http.put('/client/me', { Client: { firstname: 'Ewa' } })
    expect([named.status, named.body]).toMatchObject([403, expired])
    expect((await http.put('/client/me', { Client: { password: own, current_password: password } })).status).toBe(200)
    expect((await (await auth.asClient({ ...person, password: own })).get('/client/me')).status).toBe(200)
  })

  it('cannot be guessed with a token', async () => {
    const { person, sets } = await someClient()
    for (let i = 0; i < 10; i++) expect((await sets({ current_password: `guess ${i}` })).status).toBe(400)
    expect((await sets({ current_password: person.password })).status).toBe(429)
  })
})
