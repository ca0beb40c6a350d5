import { randomBytes } from 'node:crypto'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { caseway, documentOf, type Installation, installation } from './support/installation.js'

let place: Installation
beforeAll(async () => {
  place = await installation()
})
afterAll(() => place.drop())

describe('partner rotate', () => {
  it('states how many tokens were re-encrypted', async () => {
    const next = { ...place.env, PARTNER_SECRET: randomBytes(32).toString('base64'), PARTNER_SECRET_PREVIOUS: place.env.PARTNER_SECRET }
    expect(documentOf(await caseway(next, 'partner', 'rotate', '--json'))).toEqual({ tokens: 0, webhooks: 0 })
    expect((await caseway(next, 'partner', 'rotate')).out).toMatch(
      /^0 tokens and 0 webhook secrets re-encrypted\. PARTNER_SECRET_PREVIOUS is not needed/,
    )
  })

  it('refuses an invalid secret', async () => {
    expect(await caseway({ ...place.env, PARTNER_SECRET: 'short' }, 'partner', 'rotate')).toMatchObject({ code: 1, out: '' })
  })
})

describe('partner refresh', () => {
  it('enqueues the refresh of an integration for the running service', async () => {
    const [customerId, id] = [randomId(), randomId()]
    await place.partner.rows(
      "INSERT INTO platform_tokens (id, customer_id, integration_id, access_token, refresh_at) VALUES (gen_random_uuid(), $1, $2, '', now())",
      [customerId, id],
    )
    const of = (office: bigint) => ['partner', 'refresh', '--office', String(office), '--integration', String(id), '--json']
    expect(documentOf(await place.caseway(...of(customerId)))).toEqual({ id: String(id) })
    expect(await place.partner.rows("SELECT customer_id FROM kit.job WHERE name = 'platform-tokens' AND state = 'ready'")).toEqual([
      { customer_id: String(customerId) },
    ])
    const other = randomId()
    expect(await place.caseway(...of(other))).toMatchObject({ code: 1, err: `Office ${other} has no integration ${id}.` })
  })
})

describe('partner webhooks', () => {
  const webhook = (customerId: bigint, active: boolean, lastError: string | null) =>
    place.partner.rows(
      `INSERT INTO webhooks (customer_id, user_id, url, events, active, secret, last_error) VALUES ($1, 1, 'https://hooks.example', '["*"]', $2, '', $3)`,
      [customerId, active, lastError],
    )

  it('counts the active ones of all offices by the error of the last attempt', async () => {
    expect(documentOf(await place.caseway('partner', 'webhooks', '--json'))).toEqual({ webhooks: [] })
    const [one, other] = [randomId(), randomId()]
    for (const office of [one, one, other]) await webhook(office, true, 'refused')
    await webhook(other, true, null)
    await webhook(other, false, 'timeout')
    expect(documentOf(await place.caseway('partner', 'webhooks', '--json'))).toEqual({
      webhooks: [
        { last_error: 'refused', webhooks: 3, offices: 2 },
        { last_error: null, webhooks: 1, offices: 1 },
      ],
    })
    expect((await place.caseway('partner', 'webhooks')).out).toMatch(/^ERROR +WEBHOOKS +OFFICES\nrefused +3 +2\n- +1 +1$/)
  })
})
