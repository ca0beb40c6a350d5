import { withAsciiDomain } from '@caseway/kit/fields'
import { TokenError } from './token-error.js'

export interface TokenRequest {
  readonly grantType: 'password' | 'refresh_token' | 'client_credentials'
  /** Undefined only for a refresh, whose token belongs to a client (RFC 6749 6). */
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** An address, with its domain in ASCII. */
  readonly username: string
  readonly password: string
  /** A one-time password, or a recovery code. */
  readonly otp: string | undefined
  readonly refreshToken: string
}

const grants = ['password', 'refresh_token', 'client_credentials'] as const
const maxLength = 1024

const needed = {
  password: ['username', 'password'],
  refresh_token: ['refresh_token'],
  client_credentials: [],
} as const

/** Reads the parameters of RFC 6749 from a JSON or form body, and the client from a Basic header (2.3.1). @throws TokenError */
export function readTokenRequest(body: unknown, authorization: string | undefined): TokenRequest {
  const parameters = asParameters(body)
  const client = credentialsOf(authorization)
  const value = (name: string) => parameters.get(name)

  const grantType = grants.find((grant) => grant === value('grant_type'))
  if (!value('grant_type')) throw new TokenError('invalid_request', 'grant_type is required.')
  if (!grantType) throw new TokenError('unsupported_grant_type', 'This grant_type is not supported.')
  const named = value('client_id')
  if (client && (value('client_secret') || (named && named !== client.id)))
    throw new TokenError('invalid_request', 'The client must authenticate in one way only.')
  const clientId = (client?.id ?? named) || undefined
  if (clientId === undefined && (client || grantType !== 'refresh_token')) throw new TokenError('invalid_request', 'client_id is required.')
  for (const name of needed[grantType]) if (!value(name)) throw new TokenError('invalid_request', `${name} is required.`)
  if (value('scope')) throw new TokenError('invalid_scope', 'There are no scopes here.')
  return {
    grantType,
    clientId,
    clientSecret: client?.secret ?? value('client_secret'),
    username: withAsciiDomain(value('username') ?? ''),
    password: value('password') ?? '',
    otp: value('otp') || undefined,
    refreshToken: value('refresh_token') ?? '',
  }
}

const known = ['grant_type', 'client_id', 'client_secret', 'username', 'password', 'otp', 'refresh_token', 'scope']

function asParameters(body: unknown): Map<string, string> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new TokenError('invalid_request', 'The body must be an object.')
  const parameters = new Map<string, string>()
  for (const name of known) {
    const value = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined
    if (value === undefined || value === null) continue
    if (typeof value !== 'string') throw new TokenError('invalid_request', `${name} must be given once, as text.`)
    if (value.length > maxLength) throw new TokenError('invalid_request', `${name} is too long.`)
    if (!isStorable(value)) throw new TokenError('invalid_request', `${name} holds characters that cannot be.`)
    parameters.set(name, value)
  }
  return parameters
}

/** PostgreSQL stores no NUL, and UTF-8 cannot encode unpaired surrogates. */
const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed()

function credentialsOf(authorization: string | undefined): { id: string; secret: string } | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
  try {
    const credentials = { id: formDecoded(id), secret: formDecoded(secret.join(':')) }
    if (isStorable(credentials.id)) return credentials
  } catch {
    // The credentials are not form-encoded.
  }
  throw new TokenError('invalid_client', 'The credentials of the client cannot be read.')
}

const formDecoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))
