import { eventually, httpClient } from '@caseway/testing'
import { expect, it } from '@jest/globals'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { signIn, signInAs } from './people.js'

interface Tokens {
  access_token: string
  refresh_token: string | null
  user_id: string
}

/** The tests of sign-in and sign-out on the address for experts, independent of how the platform runs. */
export function sessionJourney(demo: () => Demo): void {
  const experts = () => httpClient(`${demo().base_url}/rest`)

  it('goes on with a new refresh token each time, and ends with the sign-out', async () => {
    const account = demo().offices[0]?.accounts.specialist
    const password = { grant_type: 'password', client_id: demo().client_id, username: account?.username, password: account?.password }
    const first = await experts().post<Tokens>('/token', password)
    expect(first.status).toBe(200)
    expect(first.body.user_id).toBe(account?.user_id)

    const next = { grant_type: 'refresh_token', client_id: demo().client_id, refresh_token: first.body.refresh_token }
    const second = await experts().post<Tokens>('/token', next)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).not.toBe(first.body.refresh_token)
    const api = experts().as(second.body.access_token)
    expect((await api.get('/counter')).status).toBe(200)

    expect((await api.delete('/token')).status).toBe(200)
    await eventually(async () => expect((await api.get('/counter')).status).toBe(401))
    const after = await experts().post('/token', { ...next, refresh_token: second.body.refresh_token })
    expect(after.body).toMatchObject({ error: 'invalid_grant' })
  })

  it('of an external platform belongs to an application', async () => {
    const application = demo().offices[0]?.technical
    const { status, body } = await experts().post<Tokens>('/token', { grant_type: 'client_credentials', ...application })
    expect(status).toBe(200)
    expect(body.refresh_token).toBeNull()
    const api = experts().as(body.access_token)
    // The token is valid, but not that of an employee.
    expect((await api.get('/tag')).status).toBe(403)
    expect((await api.delete('/token')).status).toBe(200)
  })
}

/** The tests of a client of two offices. */
export function clientJourney(demo: () => Demo): void {
  const experts = () => httpClient(`${demo().base_url}/rest`)
  const clients = () => httpClient(`${demo().client_base_url}/rest`)

  it('of two offices opens a case at each, and sees only their own data', async () => {
    const [both] = demo().clients
    if (!both) throw new Error('The demo has no clients.')
    const { api } = await signIn(demo().client_base_url, demo().client_id, both)
    const made = await Promise.all(
      both.customer_ids.map(async (customer_id) => {
        const { status, body } = await api.post<{ id: number }>('/issue', { Issue: { customer_id, subject: 'May I ask something?' } })
        expect(status).toBe(201)
        return String(body.id)
      }),
    )
    const { body } = await api.get<{ Issue: { id: string } }[]>('/issue')
    expect(body.map(({ Issue }) => Issue.id)).toEqual(expect.arrayContaining(made))
  })

  it('is refused on the address for experts, and experts on that for clients', async () => {
    const [client] = demo().clients
    if (!client) throw new Error('The demo has no clients.')
    const { token } = await signIn(demo().client_base_url, demo().client_id, client)
    expect((await experts().as(token).get('/issue')).status).toBe(401)
    const expert = await signInAs(demo(), 'expert')
    expect((await clients().as(expert.token).get('/issue')).status).toBe(401)
  })
}
