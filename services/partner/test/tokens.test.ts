import { randomBytes } from 'node:crypto'
import { IntegrationState } from '@caseway/protos/partner/v1/events'
import { auditTopic } from '@caseway/protos/topics'
import { eventually, type TestTenant } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { another, connected, listOf, newOffice, type Partner, pending, plain, post, put, startPartner } from './support/integrations.js'
import { connectedOffice, eventsOf, isGood, tokensOf } from './support/tokens.js'

const [present, next] = [randomBytes(32), randomBytes(32)].map((secret) => secret.toString('base64')) as [string, string]

let partner: Partner
beforeAll(async () => {
  partner = await startPartner({ variables: { PARTNER_SECRET: present } })
})
afterEach(() => partner.platform.behave())
afterAll(() => partner.stop())

const revisionOf = async (office: TestTenant) => (await tokensOf(partner, office))[0]?.revision
const refresh = ({ customerId }: TestTenant, id: string | number) =>
  partner.service.administration.integrations.refresh(customerId, BigInt(id))
const requests = () => partner.platform.requests()

/** All rows of the service's database as text; `bytea` is in hexadecimal. */
async function everyRow(): Promise<string> {
  const tables = await partner.database.rows<{ name: string }>(
    "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE table_schema IN ('public', 'kit')",
  )
  const rows = tables.map(({ name }) => partner.database.rows<{ row: string }>(`SELECT t::text AS row FROM ${name} t`))
  return (await Promise.all(rows))
    .flat()
    .map(({ row }) => row)
    .join('\n')
}

describe('tokens', () => {
  it('are in no table in plain text, nor is the code', async () => {
    const account = await partner.platform.account({ companies: [plain] })
    const { code } = await partner.platform.agree(account)
    expect((await post(newOffice(partner).http, { auth_code: code })).status).toBe(200)
    const issued = (await partner.platform.issued()).at(-1)
    expect(await isGood(partner, issued?.access_token)).toBe(true)
    const stored = await everyRow()
    expect(stored).toContain('platform-tokens')
    for (const secret of [code, issued?.access_token, issued?.refresh_token, partner.platform.clientSecret]) {
      for (const encoding of ['utf8', 'hex', 'base64'] as const) expect(stored).not.toContain(Buffer.from(secret ?? '').toString(encoding))
    }
  })

  it('cannot be decrypted in another row', async () => {
    const [office, other] = [await connectedOffice(partner), await connectedOffice(partner)]
    const { token: before } = await requests()
    await partner.database.rows(
      'UPDATE platform_tokens SET refresh_token = (SELECT refresh_token FROM platform_tokens WHERE customer_id = $2) WHERE customer_id = $1',
      [office.customerId, other.customerId],
    )
    await refresh(office, office.id)
    await eventually(async () => {
      const failed = "SELECT error FROM kit.job WHERE name = 'platform-tokens' AND customer_id = $1 AND error IS NOT NULL"
      expect(await partner.database.rows(failed, [office.customerId])).toHaveLength(1)
    })
    expect((await requests()).token).toBe(before)
    await partner.database.rows('DELETE FROM platform_tokens WHERE customer_id = $1', [office.customerId])
  })
})

describe('a refresh', () => {
  it('is repeated each time before the tokens expire', async () => {
    await partner.platform.setLifetime(2)
    const office = await connectedOffice(partner)
    const first = office.issued?.access_token
    await eventually(async () => expect(await revisionOf(office)).toBeGreaterThan(2), { timeoutMs: 20_000 })
    await partner.platform.setLifetime(3600)
    expect(await isGood(partner, first)).toBe(false)
  })

  it('that 50 callers request at once is one request to the platform', async () => {
    const office = await connectedOffice(partner)
    const { token: before } = await requests()
    await partner.platform.misbehave('token', { held: true })
    await refresh(office, office.id)
    await eventually(async () => expect((await requests()).token).toBe(before + 1))
    await Promise.all(Array.from({ length: 49 }, () => refresh(office, office.id)))
    await partner.platform.behave()
    await eventually(async () => {
      expect(await revisionOf(office)).toBe(2)
      const planned =
        "SELECT state, run_at > now() AS later FROM kit.job WHERE name = 'platform-tokens' AND state <> 'done' AND customer_id = $1"
      expect(await partner.database.rows(planned, [office.customerId])).toEqual([{ state: 'waiting', later: true }])
    })
    expect((await requests()).token).toBe(before + 1)
  })

  it('is repeated while the platform does not answer, and loses nothing', async () => {
    const office = await connectedOffice(partner)
    const { token: before } = await requests()
    await partner.platform.misbehave('token', { status: 503 })
    await refresh(office, office.id)
    await eventually(async () => expect((await requests()).token).toBeGreaterThan(before + 1), { timeoutMs: 10_000 })
    expect(await revisionOf(office)).toBe(1)
    await partner.platform.behave()
    await eventually(async () => expect(await revisionOf(office)).toBe(2), { timeoutMs: 20_000 })
    expect(await eventsOf(partner, office)).toHaveLength(1)
  })

  it('is not enqueued for the integration of another office', async () => {
    const office = await connectedOffice(partner)
    expect(await refresh(newOffice(partner), office.id)).toBe(false)
  })
})

describe('an integration whose tokens the platform refuses', () => {
  it('is broken, and one event with all of its fields is published', async () => {
    const office = await connectedOffice(partner)
    await partner.platform.close(office.account)
    await refresh(office, office.id)
    await eventually(async () => expect(await eventsOf(partner, office)).toHaveLength(2))
    await refresh(office, office.id)
    const [made, broken] = await eventsOf(partner, office)
    expect(broken).toEqual({
      ...{ id: BigInt(office.id), customerId: office.customerId, userId: office.expert.userId, companyId: '501', name: 'Nowak' },
      ...{ lumpTaxRate: '', state: IntegrationState.BROKEN, revision: 2n },
    })
    expect(made).toEqual({ ...broken, state: IntegrationState.ACTIVE, revision: 1n })
    const trail = (await partner.published(auditTopic)).map(({ event }) => event)
    expect(trail).toContainEqual(
      expect.objectContaining({ customerId: office.customerId, kind: 'integration.broken', subject: `integration:${office.id}` }),
    )
    expect(await listOf(office.http)).toMatchObject([{ id: office.id }])
  })

  it('can no longer be completed', async () => {
    const office = await connectedOffice(partner, plain, another)
    await partner.platform.close(office.account)
    await refresh(office, office.id)
    await eventually(async () => {
      const { status, body } = await put(office.http, office.id, { company_id: '501', lump_tax_rate: '3' })
      expect([status, body.errorCode]).toEqual([409, 'INTEGRATION_BROKEN'])
    })
  })
})

describe('another PARTNER_SECRET', () => {
  it('reencrypts the tokens, which stay valid', async () => {
    const office = await connectedOffice(partner)
    await pending(partner, newOffice(partner).http, plain, another)
    const rotating = await partner.copy({ PARTNER_SECRET: next, PARTNER_SECRET_PREVIOUS: present })
    expect((await rotating.administration.reseal()).tokens).toBeGreaterThan(3)
    expect((await rotating.administration.reseal()).tokens).toBe(0)
    await rotating.stop()
    const back = await partner.copy({ PARTNER_SECRET: present, PARTNER_SECRET_PREVIOUS: next })
    expect((await back.administration.reseal()).tokens).toBeGreaterThan(3)
    await back.stop()
    await refresh(office, office.id)
    await eventually(async () => expect(await revisionOf(office)).toBe(2))
  })

  it('without the previous one cannot decrypt the tokens, and prevents the start', async () => {
    await connected(partner, newOffice(partner).http)
    const refused = 'PARTNER_SECRET is not the secret that sealed the platform-tokens of this database.'
    await expect(partner.copy({ PARTNER_SECRET: next })).rejects.toThrow(refused)
  })
})
