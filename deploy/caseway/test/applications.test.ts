import { randomUUID } from 'node:crypto'
import { httpClient } from '@caseway/testing'
import { afterAll, describe, expect, it } from '@jest/globals'
import { documentOf, installationWithAuth } from './support/installation.js'

const { place, auth, stop } = await installationWithAuth()
afterAll(stop)

const made = async (kind: 'first_party' | 'technical'): Promise<{ client_id: string; client_secret: string }> =>
  documentOf(await place.caseway('application', 'create', '--client-id', randomUUID(), '--name', 'A program', '--kind', kind, '--json'))
const asks = async (client_id: string, client_secret: string) =>
  (await httpClient(`${auth.service.httpUrl}/expert/rest`).post('/token', { grant_type: 'client_credentials', client_id, client_secret }))
    .status
const kindsOf = async (clientId: string) =>
  (await place.auth.rows('SELECT kind FROM audit_events WHERE subject = $1 ORDER BY id', [`application:${clientId}`])).map(
    ({ kind }) => kind,
  )

describe('application renew-secret', () => {
  const renew = (clientId: string, ...more: string[]) => place.caseway('application', 'renew-secret', '--client-id', clientId, ...more)

  it('shows a new secret once, and only the new one is accepted', async () => {
    const { client_id, client_secret } = await made('technical')
    const renewed = documentOf(await renew(client_id, '--json'))
    expect(renewed).toEqual({ client_id, client_secret: expect.stringMatching(/^.{43}$/) })
    expect([await asks(client_id, client_secret), await asks(client_id, renewed.client_secret)]).toEqual([401, 200])
    expect((await renew(client_id)).out).toMatch(new RegExp(`^${client_id} may request tokens with the secret .{43}$`))
    expect(await kindsOf(client_id)).toEqual(['application.created', 'application.changed', 'application.changed'])
  })

  it('names the application that has no secret', async () => {
    const [{ client_id }, nobody] = [await made('first_party'), randomUUID()]
    expect(await renew(client_id)).toEqual({ code: 1, out: '', err: `${client_id} is a frontend, which can keep no secret.` })
    expect(await renew(nobody)).toEqual({ code: 1, out: '', err: `There is no application ${nobody}.` })
  })
})

describe('application delete', () => {
  const remove = (clientId: string, ...more: string[]) => place.caseway('application', 'delete', '--client-id', clientId, ...more)

  it('refuses the application from then on, and states how many sessions ended', async () => {
    const { client_id, client_secret } = await made('technical')
    expect(await asks(client_id, client_secret)).toBe(200)
    expect(documentOf(await remove(client_id, '--json'))).toEqual({ client_id, sessions: 1 })
    expect(await asks(client_id, client_secret)).toBe(401)
    expect(await kindsOf(client_id)).toEqual(['application.created', 'application.deleted'])
  })

  it('fails the second time', async () => {
    const { client_id } = await made('first_party')
    expect(await remove(client_id)).toEqual({ code: 0, out: `${client_id} is deleted. 0 sessions ended with it.`, err: '' })
    expect(await remove(client_id)).toEqual({ code: 1, out: '', err: `There is no application ${client_id}.` })
  })
})
