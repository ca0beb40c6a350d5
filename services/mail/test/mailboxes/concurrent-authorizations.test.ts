import { eventually, type TestTenant } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createMailServer } from '../support/mail-servers.js'
import { authorizationsOf, begin, byProvider, connect, refused, serviceWithProvider } from '../support/service-with-provider.js'

const there = await serviceWithProvider()
const { service, platform, stop } = there
afterAll(stop)

let office: TestTenant
let account: string
beforeEach(async () => {
  office = service.office()
  account = await platform.account({})
})
afterEach(() => platform.behave())

const { expert, agreed, connected, rowOf, grantOf } = authorizationsOf(there, () => ({ office, account }))

const grants = () => service.database.rows('SELECT FROM mail_grants WHERE customer_id = $1', [office.customerId])
const untilNoGrant = () => eventually(async () => expect(await grants()).toEqual([]), { timeoutMs: 20_000 })
const deleteServer = (id: number) => expert().delete(`/mail_server/${id}`)
const hold = (id: number) => holdTransaction(service.database, 'SELECT FROM mail_servers WHERE id = $1 FOR UPDATE', [id])

/** Sends an answer of the provider, and returns when the provider has its code but has not answered yet. */
async function exchanging(id: number, fault: object = {}) {
  const { token } = await platform.requests()
  const answer = await agreed(expert(), id)
  await platform.misbehave('token', { held: true, ...fault })
  const completed = connect(expert(), id, answer)
  await eventually(async () => expect((await platform.requests()).token).toBe(token + 1))
  // In an object, since it is not to be awaited yet.
  return { completed }
}

describe('while a code is exchanged', () => {
  it('a deleted mailbox gets no tokens: they are revoked', async () => {
    const id = await createMailServer(expert(), byProvider)
    const { completed } = await exchanging(id)
    expect((await deleteServer(id)).status).toBe(200)
    const { revocation } = await platform.requests()
    await platform.behave()
    expect((await completed).status).toBe(404)
    await untilNoGrant()
    expect((await platform.requests()).revocation).toBe(revocation + 1)
  })

  it.each([
    ['another address', { user_email: 'another@office.example' }, 'state'],
    ['a server that is not of the provider', { server_address: 'imap.office.example', user_password: 'a secret' }, 'server_address'],
  ])('a mailbox with a password that gets %s keeps its password', async (_, fields, wrong) => {
    const id = await createMailServer(expert(), { server_address: byProvider.server_address })
    const { completed } = await exchanging(id)
    expect((await expert().put(`/mail_server/${id}`, { MailServer: fields })).body).toEqual({ status: 'OK' })
    await platform.behave()
    const { status, body } = await completed
    expect([status, body]).toEqual(refused(wrong))
    expect(await rowOf(id)).toMatchObject({ state: 'active', oauth_provider: null, user_password: '********' })
    await untilNoGrant()
  })

  it('another authorization may begin, which stays valid where the provider does not answer the first', async () => {
    const id = await createMailServer(expert(), byProvider)
    const { completed } = await exchanging(id, { status: 500, body: '{}' })
    const answer = await agreed(expert(), id)
    await platform.behave()
    expect((await completed).status).toBe(503)
    expect((await connect(expert(), id, answer)).status).toBe(200)
  })
})

it('an authorization locks servers before their grant, as the deletion of a mailbox does', async () => {
  const id = await createMailServer(expert(), byProvider)
  const answer = await agreed(expert(), id)
  const deletion = await hold(id)
  const completed = connect(expert(), id, answer)
  await untilWaiting(service.database, 1)
  await deletion.query('SELECT FROM mail_grants WHERE customer_id = $1 FOR UPDATE NOWAIT', [office.customerId])
  await deletion.commit()
  expect((await completed).status).toBe(200)
})

it('two servers of a mailbox that are deleted at the same time leave no tokens', async () => {
  const ids = [await connected(), await createMailServer(expert(), { ...byProvider, server_protocol: 1, server_port: 465 })]
  const held = await holdTransaction(service.database, 'LOCK TABLE kit.outbox IN EXCLUSIVE MODE')
  const deletions = ids.map(deleteServer)
  // One waits here, the other for the grant. The relay may wait as well, to delete what it has published.
  const waiting = `
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query NOT LIKE '%DELETE FROM kit.outbox%'`
  await eventually(async () => expect(await service.database.rows(waiting)).toHaveLength(2), { timeoutMs: 20_000 })
  await held.commit()
  for (const deletion of deletions) expect((await deletion).status).toBe(200)
  await untilNoGrant()
})

it('a mailbox that is authorized again just when it is to be stopped is not stopped', async () => {
  const id = await connected()
  const { tokens } = (await grantOf()) ?? {}
  await service.database.rows('UPDATE mail_grants SET tokens = NULL WHERE customer_id = $1', [office.customerId])
  const authorization = await hold(id)
  const tried = expert().post(`/mail_server/${id}/test`)
  await untilWaiting(service.database, 1)
  await authorization.query('UPDATE mail_grants SET tokens = $2 WHERE customer_id = $1', [office.customerId, tokens])
  await authorization.commit()
  await tried
  expect(await rowOf(id)).toMatchObject({ state: 'active', last_error: null })
})

it('an authorization that nobody has completed ends with its mailbox', async () => {
  const id = await createMailServer(expert(), { server_address: byProvider.server_address })
  expect((await begin(expert(), id)).status).toBe(200)
  expect((await expert().put(`/mail_server/${id}`, { MailServer: { user_name: 'Ola' } })).status).toBe(200)
  expect(await grants()).toHaveLength(1)
  expect((await deleteServer(id)).status).toBe(200)
  expect(await grants()).toEqual([])
})
