import { hostNames, type Rule, text, url, urls, type Values } from '@caseway/kit/config'
import { staysOnThisMachine } from '@caseway/kit/database-address'
import { google, microsoft, type OauthProvider } from './oauth-provider.js'

/** The OAuth 2.0 providers of mailboxes. Of Google and Microsoft only the client is configured. */
export const oauthProviderVariables = {
  OAUTH2_REDIRECT_URIS: urls({
    default: [],
    help: 'Redirect URIs of frontends, separated by commas, to which an OAuth 2.0 provider sends the user with a code; they must be registered at the provider',
  }),
  OAUTH2_GOOGLE_CLIENT_ID: text({ optional: true, help: 'Client id at Google, for mailboxes of Gmail and Google Workspace' }),
  OAUTH2_GOOGLE_CLIENT_SECRET: text({ optional: true, secret: true, help: 'Client secret at Google' }),
  OAUTH2_MICROSOFT_CLIENT_ID: text({ optional: true, help: 'Client id at Microsoft, for mailboxes of Microsoft 365 and Outlook.com' }),
  OAUTH2_MICROSOFT_CLIENT_SECRET: text({ optional: true, secret: true, help: 'Client secret at Microsoft' }),
  OAUTH2_CUSTOM_CLIENT_ID: text({ optional: true, help: 'Client id at the provider `custom`, which may be any other provider' }),
  OAUTH2_CUSTOM_CLIENT_SECRET: text({ optional: true, secret: true, help: 'Client secret at the provider `custom`' }),
  OAUTH2_CUSTOM_AUTHORIZATION_URL: url({ optional: true, help: 'Authorization endpoint of the provider `custom`; its query is kept' }),
  OAUTH2_CUSTOM_TOKEN_URL: url({ optional: true, help: 'Token endpoint of the provider `custom`' }),
  OAUTH2_CUSTOM_REVOCATION_URL: url({
    optional: true,
    help: 'Revocation endpoint of the provider `custom` (RFC 7009); without it tokens are only deleted here',
  }),
  OAUTH2_CUSTOM_SCOPE: text({ optional: true, help: 'Scopes that are requested from the provider `custom`, separated by spaces' }),
  OAUTH2_CUSTOM_HOSTS: hostNames({ default: [], help: 'The only mail servers to which tokens of the provider `custom` are sent' }),
}

type OauthValues = Values<typeof oauthProviderVariables>

const clientsOf = (values: OauthValues) =>
  [
    ['GOOGLE', values.oauth2GoogleClientId, values.oauth2GoogleClientSecret],
    ['MICROSOFT', values.oauth2MicrosoftClientId, values.oauth2MicrosoftClientSecret],
    ['CUSTOM', values.oauth2CustomClientId, values.oauth2CustomClientSecret],
  ] as const

const customOf = ({ oauth2CustomAuthorizationUrl, oauth2CustomTokenUrl, oauth2CustomScope, oauth2CustomHosts }: OauthValues) =>
  ({
    OAUTH2_CUSTOM_AUTHORIZATION_URL: oauth2CustomAuthorizationUrl,
    OAUTH2_CUSTOM_TOKEN_URL: oauth2CustomTokenUrl,
    OAUTH2_CUSTOM_SCOPE: oauth2CustomScope,
    OAUTH2_CUSTOM_HOSTS: oauth2CustomHosts.length === 0 ? undefined : oauth2CustomHosts,
  }) as const

/** A provider is configured completely or not at all, and its endpoints use HTTPS unless they are on this machine. */
export const oauthProviderRule: Rule<typeof oauthProviderVariables> = (values, nameOf) => {
  const clients = clientsOf(values)
  const half = clients
    .filter(([, id, secret]) => (id === undefined) !== (secret === undefined))
    .map(([name]) => `${nameOf(`OAUTH2_${name}_CLIENT_ID`)} and ${nameOf(`OAUTH2_${name}_CLIENT_SECRET`)} must be set together.`)
  const custom = Object.entries(customOf(values)) as [keyof ReturnType<typeof customOf>, unknown][]
  const isCustom = values.oauth2CustomClientId !== undefined
  const wrong = custom
    .filter(([, value]) => (value === undefined) === isCustom)
    .map(([name]) => `${nameOf(name)} must ${isCustom ? 'be set beside' : 'not be set without'} ${nameOf('OAUTH2_CUSTOM_CLIENT_ID')}.`)
  const { oauth2CustomTokenUrl: tokenUrl, oauth2CustomRevocationUrl: revocationUrl } = values
  const alone =
    revocationUrl !== undefined && !isCustom
      ? [`${nameOf('OAUTH2_CUSTOM_REVOCATION_URL')} must not be set without ${nameOf('OAUTH2_CUSTOM_CLIENT_ID')}.`]
      : []
  const endpoints = { OAUTH2_CUSTOM_TOKEN_URL: tokenUrl, OAUTH2_CUSTOM_REVOCATION_URL: revocationUrl }
  const plain = (Object.entries(endpoints) as [keyof typeof endpoints, string | undefined][])
    .filter(([, url]) => url?.startsWith('http:') && !staysOnThisMachine(url))
    .map(([name]) => `${nameOf(name)} must begin with https://: secrets are sent there.`)
  const isAny = clients.some(([, id]) => id !== undefined)
  const nowhere =
    isAny && values.oauth2RedirectUris.length === 0
      ? [`${nameOf('OAUTH2_REDIRECT_URIS')} must be set: a provider of OAuth 2.0 sends people back there.`]
      : []
  return [...half, ...wrong, ...alone, ...plain, ...nowhere]
}

/** The providers that the configuration names. */
export function oauthProvidersOf(values: OauthValues): OauthProvider[] {
  const { oauth2CustomRevocationUrl: revocationUrl } = values
  const { oauth2CustomAuthorizationUrl: authorizationUrl, oauth2CustomTokenUrl: tokenUrl, oauth2CustomScope: scope } = values
  const custom =
    authorizationUrl && tokenUrl && scope
      ? {
          name: 'custom',
          authorizationUrl,
          tokenUrl,
          revocationUrl,
          scope,
          authentication: 'basic' as const,
          hosts: values.oauth2CustomHosts,
        }
      : undefined
  const places = { GOOGLE: google, MICROSOFT: microsoft, CUSTOM: custom }
  return clientsOf(values).flatMap(([name, clientId, clientSecret]) => {
    const place = places[name]
    return place && clientId !== undefined && clientSecret !== undefined ? [{ ...place, clientId, clientSecret }] : []
  })
}
