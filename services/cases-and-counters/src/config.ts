import { type ConfigOf, databaseVariables, defineConfig, httpVariables, processVariables, text, tokenVariables } from '@caseway/kit/config'

export const config = defineConfig('CASES_AND_COUNTERS', {
  ...processVariables,
  ...httpVariables,
  ...databaseVariables,
  ...tokenVariables,
  AUTH_GRPC_ADDRESS: text({ shared: true, help: 'Where auth answers gRPC, as `dns:///auth:50051`' }),
  DEFAULT_TIME_ZONE: text({
    default: 'Europe/Warsaw',
    shared: true,
    help: 'IANA name of the time zone of an office of which auth has not told yet',
  }),
})

export type CasesAndCountersConfig = ConfigOf<typeof config>
