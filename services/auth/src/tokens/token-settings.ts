import { integer, text, type Values } from '@caseway/kit/config'

export const tokenVariables = {
  TOKEN_ISSUER: text({ shared: true, help: 'Issuer (`iss`) of the access tokens' }),
  ACCESS_TOKEN_SECONDS: integer({ default: 900, min: 10, help: 'Lifetime of an access token, in seconds' }),
  REFRESH_TOKEN_DAYS: integer({ default: 30, min: 1, max: 36_500, help: 'Days after which an unused refresh token expires' }),
  SESSION_DAYS: integer({
    default: 90,
    min: 1,
    max: 36_500,
    help: 'Days after which a person has to sign in again, even if the token was refreshed',
  }),
  KEY_ROTATION_DAYS: integer({ default: 30, min: 1, max: 36_500, help: 'Days after which the signing key is rotated' }),
  TOKEN_REQUESTS_PER_MINUTE: integer({
    default: 600,
    min: 1,
    help: 'Token requests per minute from one address (IPv6: one /64, and one /48)',
  }),
}

const dayMs = 86_400_000

export const tokenSettings = (config: Values<typeof tokenVariables>) => ({
  issuer: config.tokenIssuer,
  accessTokenMs: config.accessTokenSeconds * 1000,
  refreshTokenMs: config.refreshTokenDays * dayMs,
  sessionMs: config.sessionDays * dayMs,
  rotationMs: config.keyRotationDays * dayMs,
})
