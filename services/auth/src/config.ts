import {
  type ConfigOf,
  databaseRule,
  databaseVariables,
  defineConfig,
  grpcIdentityRule,
  grpcVariables,
  httpVariables,
  integer,
  kafkaRule,
  list,
  processVariables,
  text,
} from '@caseway/kit/config'

/** What the rules and their storage need, however they are reached. */
const ownVariables = {
  ...databaseVariables,
  TOKEN_ISSUER: text({ shared: true, help: 'Issuer (`iss`) of the access tokens' }),
  SECRET: text({ secret: true, help: 'Secret of 32 random bytes in base64: encrypts the signing keys and derives refresh tokens' }),
  SECRET_PREVIOUS: list({
    secret: true,
    default: [],
    help: 'Previous secrets, still accepted for reading while AUTH_SECRET is being replaced',
  }),
  ACCESS_TOKEN_SECONDS: integer({ default: 900, min: 10, help: 'Lifetime of an access token, in seconds' }),
  REFRESH_TOKEN_DAYS: integer({ default: 30, min: 1, help: 'Days after which an unused refresh token expires' }),
  SESSION_DAYS: integer({
    default: 90,
    min: 1,
    help: 'Days after which a person has to sign in again, however often the token was refreshed',
  }),
  KEY_ROTATION_DAYS: integer({ default: 30, min: 1, help: 'Days after which the signing key is rotated' }),
  TOKEN_REQUESTS_PER_MINUTE: integer({
    default: 600,
    min: 1,
    help: 'Token requests per minute from one address (IPv6: one /64, and one /48)',
  }),
  PASSWORD_CONCURRENCY: integer({ default: 2, min: 1, help: 'Passwords hashed at the same time; each takes 19 MiB' }),
  PASSWORD_QUEUE: integer({ default: 60, min: 1, help: 'Maximum number of passwords that wait to be hashed; more are refused with 503' }),
  DEFAULT_TIME_ZONE: text({
    default: 'Europe/Warsaw',
    shared: true,
    help: 'IANA time zone of offices without one, and of callers without an office',
  }),
}

export const config = defineConfig(
  'AUTH',
  { ...processVariables, ...httpVariables, ...grpcVariables, ...ownVariables },
  databaseRule,
  grpcIdentityRule,
  kafkaRule,
)

/** Of commands that need no network: the same variables, as far as they matter there. */
export const ownConfig = defineConfig('AUTH', ownVariables, databaseRule)

export type AuthConfig = ConfigOf<typeof config>
export type OwnConfig = ConfigOf<typeof ownConfig>
