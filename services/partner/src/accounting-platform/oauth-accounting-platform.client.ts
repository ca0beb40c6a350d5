import { oauthClient } from '@caseway/kit/oauth'
import type { OutboundFetch } from '@caseway/kit/outbound'
import { platformNotConfigured } from '../errors.js'
import type { AccountingPlatform } from './accounting-platform.js'
import { companiesIn } from './companies-answer.js'
import type { PlatformPlace } from './platform-variables.js'

/** The accounting platform over OAuth 2.0 (client_secret_basic) and its API. @param fetch see `outboundFetch` */
export function oauthAccountingPlatform(place: PlatformPlace, fetch: OutboundFetch): AccountingPlatform {
  const { redirectUri, authorizationUrl, revocationUrl, apiUrl, issuer } = place
  const client = oauthClient({ ...place, name: 'The accounting platform' }, fetch)

  return {
    revokes: revocationUrl !== undefined,

    async requestAuthorization() {
      if (authorizationUrl === undefined) throw platformNotConfigured()
      return client.requestAuthorization(authorizationUrl, redirectUri)
    },

    isIssuer: (sent) => issuer === undefined || sent === issuer,

    exchange: (answer) => client.exchange({ ...answer, redirectUri }),
    refresh: client.refresh,
    revoke: client.revoke,

    companies: (accessToken) =>
      client.resource(accessToken, `${apiUrl}/companies`, async (response) => {
        if (response.status !== 200) throw new Error(`The companies were answered with ${response.status}.`)
        return companiesIn(await response.json().catch(() => undefined))
      }),
  }
}

/** The accounting platform where none is configured: every call rejects with PARTNER_NOT_CONFIGURED. */
export const noAccountingPlatform: AccountingPlatform = {
  revokes: false,
  isIssuer: () => true,
  requestAuthorization: () => Promise.reject(platformNotConfigured()),
  exchange: () => Promise.reject(platformNotConfigured()),
  refresh: () => Promise.reject(platformNotConfigured()),
  revoke: () => Promise.reject(platformNotConfigured()),
  companies: () => Promise.reject(platformNotConfigured()),
}
