import type { IntegrationEvent } from '@caseway/protos/partner/v1/events'
import { integrationTopic } from '@caseway/protos/topics'
import type { TestTenant } from '@caseway/testing'
import { newOffice, type Partner, plain, post } from './integrations.js'

interface Held {
  readonly integration_id: string | null
  readonly revision: number
  readonly access_token: Buffer
  readonly refresh_token: Buffer
}

export const tokensOf = async (partner: Partner, { customerId }: Pick<TestTenant, 'customerId'>) =>
  partner.database.rows<Held>('SELECT * FROM platform_tokens WHERE customer_id = $1', [customerId])

export const eventsOf = async (partner: Partner, { customerId }: TestTenant): Promise<IntegrationEvent[]> =>
  (await partner.published(integrationTopic)).map(({ event }) => event).filter((event) => event.customerId === customerId)

/** Creates an office with an integration, and returns the platform account with which it was connected. */
export async function connectedOffice(partner: Partner, ...companies: (typeof plain)[]) {
  const office = newOffice(partner)
  const account = await partner.platform.account({ companies: companies.length > 0 ? companies : [plain] })
  const { body } = await post(office.http, { auth_code: (await partner.platform.agree(account)).code })
  const issued = (await partner.platform.issued()).at(-1)
  return { ...office, account, id: body.PartnerOauth2?.id ?? String(body.id), issued }
}

export const isGood = async (partner: Partner, accessToken = '') =>
  (await fetch(`${partner.platform.issuer}/companies`, { headers: { authorization: `Bearer ${accessToken}` } })).status === 200
