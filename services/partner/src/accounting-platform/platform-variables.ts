import { integer, type Rule, text, url, type Values, variable } from '@caseway/kit/config'
import { staysOnThisMachine } from '@caseway/kit/database-address'

/** The endpoints of the accounting platform, and the credentials for it. `platformRule` belongs to them. */
export const platformVariables = {
  TOKEN_URL: url({ optional: true, help: 'Token endpoint of the accounting platform (RFC 6749 3.2)' }),
  API_URL: url({ optional: true, help: 'API of the accounting platform; its companies are at `/companies` below it' }),
  CLIENT_ID: text({ optional: true, help: 'Client id at the accounting platform' }),
  CLIENT_SECRET: text({ optional: true, secret: true, help: 'Client secret at the accounting platform' }),
  REDIRECT_URI: url({ optional: true, help: 'Redirect URI, registered at the accounting platform, of the page that posts the code' }),
  AUTHORIZATION_URL: url({
    optional: true,
    help: 'Authorization endpoint, with the scope in its query if the platform requires one; without it `partner_oauth2/authorize` answers 503',
  }),
  REVOCATION_URL: url({ optional: true, help: 'Revocation endpoint (RFC 7009); without it tokens are only deleted here' }),
  // Not `url`, which removes slashes at the end: issuers are compared character by character.
  ISSUER: variable<string | undefined>(
    'an address that begins with http:// or https://, without a query or fragment',
    (value) => (/^https?:\/\/[^?#]+$/.test(value) && URL.canParse(value) ? value : undefined),
    {
      optional: true,
      help: 'Issuer identifier of the accounting platform (RFC 9207); a code with another `iss`, or with a `state` but without `iss`, is refused',
    },
  ),
  TIMEOUT_MS: integer({
    default: 2_000,
    min: 100,
    max: 2_000,
    help: 'Timeout of one request to the accounting platform, in milliseconds; a POST makes two, and the gateway waits for 5 s',
  }),
}

const needed = ['TOKEN_URL', 'API_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'REDIRECT_URI'] as const
const addresses = ['TOKEN_URL', 'API_URL', 'AUTHORIZATION_URL', 'REVOCATION_URL'] as const

type PlatformValues = Values<typeof platformVariables>

const byName = (values: PlatformValues) => ({
  ...{ TOKEN_URL: values.tokenUrl, API_URL: values.apiUrl, CLIENT_ID: values.clientId, CLIENT_SECRET: values.clientSecret },
  ...{ REDIRECT_URI: values.redirectUri, AUTHORIZATION_URL: values.authorizationUrl, REVOCATION_URL: values.revocationUrl },
  ISSUER: values.issuer,
})

/** The rule of `platformVariables`: all needed ones or none are set, and the platform is reached over TLS unless it is on this machine. */
export const platformRule: Rule<typeof platformVariables> = (values, nameOf) => {
  const given = byName(values)
  if (Object.values(given).every((value) => value === undefined)) return []
  const missing = needed.filter((name) => given[name] === undefined)
  if (missing.length > 0)
    return [`${missing.map(nameOf).join(', ')} must be set: the accounting platform needs all of ${needed.map(nameOf).join(', ')}.`]
  const plain = addresses.filter((name) => given[name]?.startsWith('http:') && !staysOnThisMachine(given[name]))
  return plain.map((name) => `${nameOf(name)} must begin with https://: secrets are sent there.`)
}

export interface PlatformPlace {
  readonly tokenUrl: string
  readonly apiUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
  readonly authorizationUrl: string | undefined
  readonly revocationUrl: string | undefined
  readonly issuer: string | undefined
  readonly timeoutMs: number
}

/** The settings of the configured platform; undefined where none is configured. */
export function platformPlaceOf(values: PlatformValues): PlatformPlace | undefined {
  const { tokenUrl, apiUrl, clientId, clientSecret, redirectUri, authorizationUrl, revocationUrl, issuer, timeoutMs } = values
  if (!(tokenUrl && apiUrl && clientId && clientSecret && redirectUri)) return undefined
  return { tokenUrl, apiUrl, clientId, clientSecret, redirectUri, authorizationUrl, revocationUrl, issuer, timeoutMs }
}
