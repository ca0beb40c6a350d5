import { IntegrationState } from '@caseway/protos/partner/v1/events'
import { customerTopic } from '@caseway/protos/topics'
import { eventually, type HttpClient, type TestTenant } from '@caseway/testing'
import { customer } from '@caseway/testing/fake-auth'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { connected, listOf, newOffice, type Partner, path, startPartner } from './support/integrations.js'
import { connectedOffice, eventsOf, isGood, tokensOf } from './support/tokens.js'

let partner: Partner
beforeAll(async () => {
  partner = await startPartner()
})
afterEach(() => partner.platform.behave())
afterAll(() => partner.stop())

const refresh = ({ customerId }: TestTenant, id: string) => partner.service.administration.integrations.refresh(customerId, BigInt(id))
const requests = () => partner.platform.requests()
const removed = (http: HttpClient, id: string) => http.delete(`${path}/${id}`)

describe('a deleted integration', () => {
  it('has its tokens revoked at the platform, and deleted', async () => {
    const office = await connectedOffice(partner)
    expect((await removed(office.http, office.id)).status).toBe(200)
    await eventually(async () => expect(await tokensOf(partner, office)).toEqual([]))
    expect(await isGood(partner, office.issued?.access_token)).toBe(false)
    expect((await eventsOf(partner, office)).at(-1)).toMatchObject({ state: IntegrationState.DELETED, revision: 2n })
  })

  it('is gone at once while the platform does not answer; its tokens stay sealed until it has revoked them', async () => {
    const office = await connectedOffice(partner)
    const { revocation: before } = await requests()
    await partner.platform.misbehave('revocation', { status: 503 })
    await removed(office.http, office.id)
    expect(await listOf(office.http)).toEqual([])
    await eventually(async () => expect((await requests()).revocation).toBeGreaterThan(before + 1), { timeoutMs: 10_000 })
    expect(await tokensOf(partner, office)).toMatchObject([{ integration_id: null }])
    await partner.platform.behave()
    await eventually(async () => expect(await tokensOf(partner, office)).toEqual([]), { timeoutMs: 20_000 })
    expect(await isGood(partner, office.issued?.access_token)).toBe(false)
  })

  it('is not refreshed', async () => {
    const office = await connectedOffice(partner)
    await partner.platform.misbehave('token', { held: true })
    const { token: before } = await requests()
    await refresh(office, office.id)
    await eventually(async () => expect((await requests()).token).toBe(before + 1))
    await removed(office.http, office.id)
    await partner.platform.behave()
    await eventually(async () => expect(await tokensOf(partner, office)).toEqual([]), { timeoutMs: 10_000 })
    expect((await eventsOf(partner, office)).map(({ state }) => state)).toEqual([IntegrationState.ACTIVE, IntegrationState.DELETED])
  })

  it('has its tokens deleted at once where the platform has no revocation endpoint', async () => {
    const office = await connectedOffice(partner)
    const copy = await partner.copy({ PARTNER_REVOCATION_URL: '' })
    const headers = { authorization: `Bearer ${office.expert.token}` }
    await fetch(`${copy.httpUrl}/expert/rest${path}/${office.id}`, { method: 'DELETE', headers })
    expect(await tokensOf(partner, office)).toEqual([])
    await copy.stop()
  })
})

describe('an office that is deleted', () => {
  const deleted = ({ customerId }: TestTenant) =>
    partner.publish(customerTopic, customer({ id: customerId, timeZone: '', deleted: true, revision: 2n }))
  const rowsOfPlatform = () => partner.database.rows('SELECT FROM platform_tokens WHERE customer_id IS NULL')
  const erased = async ({ customerId }: TestTenant) => {
    const [row] = await partner.database.rows('SELECT FROM integrations WHERE customer_id = $1', [customerId])
    expect(row).toBeUndefined()
  }

  it('has its tokens revoked at the platform, however long that does not answer', async () => {
    const office = await connectedOffice(partner)
    const deletedBefore = await connectedOffice(partner)
    await partner.platform.misbehave('revocation', { status: 503 })
    await removed(deletedBefore.http, deletedBefore.id)
    for (const gone of [office, deletedBefore]) await deleted({ ...gone })
    await eventually(async () => {
      await erased(office)
      expect([await tokensOf(partner, office), await tokensOf(partner, deletedBefore)]).toEqual([[], []])
      expect(await rowsOfPlatform()).toHaveLength(2)
    })
    await partner.platform.behave()
    await eventually(async () => expect(await rowsOfPlatform()).toEqual([]), { timeoutMs: 20_000 })
    for (const { issued } of [office, deletedBefore]) expect(await isGood(partner, issued?.access_token)).toBe(false)
  })

  it('leaves no tokens where the platform has no revocation endpoint', async () => {
    const silent = await startPartner({ variables: { PARTNER_REVOCATION_URL: '' } })
    try {
      const { http, customerId } = newOffice(silent)
      await connected(silent, http)
      await silent.publish(customerTopic, customer({ id: customerId, timeZone: '', deleted: true, revision: 2n }))
      await eventually(async () => expect(await silent.database.rows('SELECT FROM platform_tokens')).toEqual([]))
    } finally {
      await silent.stop()
    }
  })
})
