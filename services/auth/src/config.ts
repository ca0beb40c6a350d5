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
  TOKEN_ISSUER: text({ shared: true, help: 'The `iss` that a token carries' }),
  SECRET: text({ secret: true, help: '32 random bytes in base64: encrypts the signing keys and derives refresh tokens' }),
  SECRET_PREVIOUS: list({
    secret: true,
    default: [],
    help: 'Other secrets whose keys and tokens are still read, while SECRET is being replaced',
  }),
  ACCESS_TOKEN_SECONDS: integer({ default: 900, min: 10, help: 'Seconds that an access token is good for' }),
  REFRESH_TOKEN_DAYS: integer({ default: 30, min: 1, help: 'Days that a refresh token may go unused' }),
  SESSION_DAYS: integer({
    default: 90,
    min: 1,
    help: 'Days after which somebody has to sign in again, however often the token was refreshed',
  }),
  KEY_ROTATION_DAYS: integer({ default: 30, min: 1, help: 'Days after which a new key signs the access tokens' }),
  TOKEN_REQUESTS_PER_MINUTE: integer({ default: 600, min: 1, help: 'Requests for a token from one address (IPv6: one /64, and one /48)' }),
  PASSWORD_CONCURRENCY: integer({ default: 2, min: 1, help: 'Passwords that are hashed at the same time, each in 19 MiB' }),
  PASSWORD_QUEUE: integer({ default: 60, min: 1, help: 'Passwords that wait to be hashed; more are refused with 503' }),
  DEFAULT_TIME_ZONE: text({
    default: 'Europe/Warsaw',
    shared: true,
    help: 'IANA name of the time zone of an office that names none, and of callers without an office',
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
