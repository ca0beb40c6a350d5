import { randomUUID } from 'node:crypto'
import { LinkState } from '@caseway/protos/auth/v1/events'
import { clientTopic, linkTopic } from '@caseway/protos/topics'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, startAuthService } from '../support/auth.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

const erase = (id: bigint, ...customerIds: bigint[]) => auth.service.administration.eraseClient(id, customerIds)
const linkOf = async (id: bigint, customerId: bigint) =>
  (
    await auth.database.rows('SELECT state, erased, firstname, lastname FROM client_links WHERE user_client_id = $1 AND customer_id = $2', [
      id,
      customerId,
    ])
  )[0]
const lastLink = async (id: bigint) =>
  (await auth.published(linkTopic))
    .map(({ event }) => event)
    .filter(({ clientId }) => clientId === id)
    .at(-1)

describe('a client who is erased', () => {
  it('at one of two offices has no names there, which is published, and can still sign in', async () => {
    const [office, another] = [await auth.office(), await auth.office()]
    const client = await auth.client(office, another)
    expect(await erase(client.id, office.customerId)).toBe(false)
    expect(await linkOf(client.id, office.customerId)).toEqual({ state: 'ended', erased: true, firstname: '', lastname: '' })
    expect(await lastLink(client.id)).toMatchObject({ state: LinkState.ERASED, email: '', firstname: '', lastname: '' })
    expect(await linkOf(client.id, another.customerId)).toMatchObject({ state: 'active', erased: false })
    await auth.signIn(client, 'client')
  })

  it('is published as already ended if the link had ended before', async () => {
    const [office, former] = [await auth.office(), await auth.office()]
    const client = await auth.client(office, former)
    const http = await auth.asExpert(former.expert)
    expect((await http.delete(`/client/${client.id}`)).status).toBe(200)
    await erase(client.id, former.customerId)
    expect(await lastLink(client.id)).toMatchObject({ state: LinkState.ERASED, alreadyEnded: true })
    await erase(client.id, office.customerId)
    expect(await lastLink(client.id)).toMatchObject({ state: LinkState.ERASED, alreadyEnded: false })
  })

  it('can link with the office again', async () => {
    const [office, another] = [await auth.office(), await auth.office()]
    const client = await auth.client(office, another)
    await erase(client.id, office.customerId)
    await auth.service.administration.linkClient(client.id, office.customerId)
    expect(await linkOf(client.id, office.customerId)).toMatchObject({ state: 'active', erased: false })
    expect(await lastLink(client.id)).toMatchObject({ state: LinkState.ACTIVE, email: client.username })
  })

  it('at their last office loses account and sessions, which is published', async () => {
    const office = await auth.office()
    const client = await auth.client(office)
    const session = await auth.signIn(client, 'client')
    expect(await erase(client.id, office.customerId)).toBe(true)
    const open = "SELECT FROM sessions WHERE kind = 'client' AND user_id = $1 AND ended IS NULL"
    expect(await auth.database.rows(open, [client.id])).toEqual([])
    const refresh = { grant_type: 'refresh_token', client_id: auth.clientId, refresh_token: session.refresh_token }
    expect((await auth.token(refresh, 'client')).status).toBe(400)
    expect(await auth.database.rows('SELECT FROM clients WHERE id = $1', [client.id])).toEqual([])
    const ofClient = (await auth.published(clientTopic)).map(({ event }) => event).filter(({ id }) => id === client.id)
    expect(ofClient.at(-1)).toMatchObject({ email: '', firstname: '', lastname: '' })
    await expect(erase(client.id, office.customerId)).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('does not get queued mails, while others get theirs', async () => {
    const office = await auth.office()
    const [client, other] = [await auth.client(office), await auth.client(office)]
    const mails = [
      { about: 'password_reset', kind: 'client', email: client.username.toUpperCase() },
      { about: 'email_changed', kind: 'client', id: String(client.id), email: 'before@client.example' },
      { about: 'password_reset', kind: 'employee', email: client.username },
      { about: 'email_changed', kind: 'client', id: String(other.id), email: other.username },
    ]
    await auth.database.rows(
      `INSERT INTO kit.job (name, payload, priority, state, due, run_at)
       SELECT 'auth.account-mail', payload, 0, 'waiting', now(), now() + interval '1 hour' FROM unnest($1::jsonb[]) AS payload`,
      [mails],
    )
    await erase(client.id, office.customerId)
    const waiting = "SELECT payload FROM kit.job WHERE name = 'auth.account-mail' AND state = 'waiting' ORDER BY id"
    expect((await auth.database.rows(waiting)).map(({ payload }) => payload)).toEqual(mails.slice(2))
  })

  it('keeps the account while another office has an ended link', async () => {
    const [office, former] = [await auth.office(), await auth.office()]
    const client = await auth.client(office, former)
    await auth.database.rows("UPDATE client_links SET state = 'ended' WHERE user_client_id = $1 AND customer_id = $2", [
      client.id,
      former.customerId,
    ])
    expect(await erase(client.id, office.customerId)).toBe(false)
  })

  it('is not erased while the accounting platform changes their data', async () => {
    const office = await auth.office()
    const client = await auth.client(office)
    await auth.database.rows("INSERT INTO client_data_changes (id, state, user_client_id) VALUES ($1, 'reserved', $2)", [
      randomUUID(),
      client.id,
    ])
    await expect(erase(client.id, office.customerId)).rejects.toMatchObject({ kind: 'conflict', code: 'CLIENT_DATA_CHANGING' })
    expect(await linkOf(client.id, office.customerId)).toMatchObject({ state: 'active', erased: false })
  })
})
