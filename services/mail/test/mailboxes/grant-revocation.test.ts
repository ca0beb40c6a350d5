import { eventually, type TestTenant } from '@caseway/testing'
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createMailServer } from '../support/mail-servers.js'
import { authorizationsOf, byProvider, serviceWithProvider } from '../support/service-with-provider.js'

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

const { expert, connected, grantOf } = authorizationsOf(there, () => ({ office, account }))

const grantsOfOffice = () =>
  service.database.rows<Record<string, unknown>>(`SELECT * FROM mail_grants WHERE customer_id = ${office.customerId} ORDER BY id`)
const isGood = async (accessToken = '') =>
  (await fetch(`${platform.issuer}/companies`, { headers: { authorization: `Bearer ${accessToken}` } })).status === 200

describe('tokens', () => {
  it('are deleted with the last server that uses them', async () => {
    const [id, other] = [await connected(), await createMailServer(expert(), { ...byProvider, server_protocol: 1, server_port: 465 })]
    expect((await expert().delete(`/mail_server/${id}`)).status).toBe(200)
    expect(await grantOf()).toMatchObject({ provider: 'custom' })
    expect((await expert().delete(`/mail_server/${other}`)).status).toBe(200)
    expect(await grantOf()).toBeUndefined()
  })

  it('are revoked at the provider when no server uses them any more, and then deleted', async () => {
    const id = await connected()
    const { access_token } = (await platform.issued()).at(-1) ?? {}
    expect(await isGood(access_token)).toBe(true)
    expect((await expert().delete(`/mail_server/${id}`)).status).toBe(200)
    await eventually(async () => expect(await grantsOfOffice()).toEqual([]), { timeoutMs: 20_000 })
    expect(await isGood(access_token)).toBe(false)
  })

  it('stay encrypted, without a user, until the provider has revoked them, and do not block a new authorization', async () => {
    const { revocation: before } = await platform.requests()
    await platform.misbehave('revocation', { status: 503 })
    const id = await connected()
    const { access_token } = (await platform.issued()).at(-1) ?? {}
    expect((await expert().delete(`/mail_server/${id}`)).status).toBe(200)
    await eventually(async () => expect((await platform.requests()).revocation).toBeGreaterThan(before + 1), { timeoutMs: 20_000 })
    expect(await grantsOfOffice()).toMatchObject([{ user_id: null, tokens: expect.anything() }])
    await connected(expert(), { user_email: 'ola@office.example' })
    await platform.behave()
    await eventually(async () => expect(await grantsOfOffice()).toMatchObject([{ user_email: 'ola@office.example' }]), {
      timeoutMs: 30_000,
    })
    expect(await isGood(access_token)).toBe(false)
  })

  it('are deleted when the provider has not answered for three days', async () => {
    await platform.misbehave('revocation', { status: 503 })
    const id = await connected()
    expect((await expert().delete(`/mail_server/${id}`)).status).toBe(200)
    const [grant] = await grantsOfOffice()
    await service.database.rows(
      `UPDATE kit.job SET payload = jsonb_set(payload, '{until}', '0') WHERE name = 'mail-grant-revocation' AND key = '${grant?.id}'`,
    )
    await eventually(async () => expect(await grantsOfOffice()).toEqual([]), { timeoutMs: 30_000 })
  })

  it('are not revoked while another mailbox of the office has the address, or it was authorized again', async () => {
    const mine = () =>
      eventually(async () => expect((await grantsOfOffice()).map(holder)).toEqual([String(office.expert.userId)]), { timeoutMs: 30_000 })
    const holder = ({ user_id }: Record<string, unknown>) => String(user_id)
    await platform.misbehave('revocation', { status: 503 })
    const id = await connected()
    expect((await expert().delete(`/mail_server/${id}`)).status).toBe(200)
    await connected()
    await mine()
    await platform.behave()
    const colleague = service.asExpert(office.trainee)
    const other = await connected(colleague)
    const { access_token } = (await platform.issued()).at(-1) ?? {}
    expect((await colleague.delete(`/mail_server/${other}`)).status).toBe(200)
    await mine()
    expect(await isGood(access_token)).toBe(true)
  })
})
