import {
  type ConfigOf,
  databaseRule,
  databaseVariables,
  defineConfig,
  grpcIdentityRule,
  grpcIdentityVariables,
  httpVariables,
  integer,
  kafkaRule,
  processVariables,
  text,
  tokenVariables,
} from '@caseway/kit/config'

const authAddress = { shared: true, help: 'gRPC address of auth, as `dns:///auth:50051`' } as const

const DEFAULT_TIME_ZONE = text({
  default: 'Europe/Warsaw',
  shared: true,
  help: 'IANA time zone of an office that auth has not published yet',
})

const variables = {
  ...processVariables,
  ...httpVariables,
  ...databaseVariables,
  ...tokenVariables,
  AUTH_GRPC_ADDRESS: text(authAddress),
  ...grpcIdentityVariables,
  DEFAULT_TIME_ZONE,
  COUNTER_CHECK_SECONDS: integer({
    default: 10,
    min: 0,
    max: 86_400,
    help: 'Seconds between two counter checks, of ten offices each; 0 disables the check',
  }),
}

export const config = defineConfig('CASES_AND_COUNTERS', variables, databaseRule, grpcIdentityRule, kafkaRule)

/** Of commands that need no network: the same variables, as far as they matter there. */
const ownVariables = {
  ...databaseVariables,
  AUTH_GRPC_ADDRESS: text({ ...authAddress, optional: true }),
  ...grpcIdentityVariables,
  DEFAULT_TIME_ZONE,
}

export const ownConfig = defineConfig('CASES_AND_COUNTERS', ownVariables, databaseRule, (values) =>
  values.authGrpcAddress ? grpcIdentityRule(values) : [],
)

export type CasesAndCountersConfig = ConfigOf<typeof config>
export type OwnConfig = ConfigOf<typeof ownConfig>
