import {
  type ConfigOf,
  defineConfig,
  flag,
  grpcIdentityRule,
  grpcIdentityVariables,
  httpVariables,
  integer,
  kafkaRule,
  list,
  port,
  processVariables,
  text,
  tokenVariables,
  urls,
} from '@caseway/kit/config'

const variables = {
  ...processVariables,
  ...httpVariables,
  HTTP_PORT: port({ default: 3000, help: 'Port of the address for employees; 0 takes a free one' }),
  CLIENT_HTTP_PORT: port({ default: 3001, help: 'Port of the address for clients; 0 takes a free one' }),
  ...tokenVariables,
  AUTH_GRPC_ADDRESS: text({ shared: true, help: 'Where auth answers gRPC, as `dns:///auth:50051`' }),
  ...grpcIdentityVariables,
  AUTH_URL: urls({ shared: true, help: 'Where auth answers HTTP; several addresses are copies that are asked whether they are ready' }),
  CASES_AND_COUNTERS_URL: urls({ shared: true, help: 'Where cases-and-counters answers HTTP, as above' }),
  SHARED_PORTS: flag({ default: false, help: 'Whether several processes listen on the same ports of one machine (SO_REUSEPORT)' }),
  FRONT_PAGE: flag({ default: true, help: 'Whether `/` of the address for employees is a page to look at' }),
  PAGES_CLIENT_ID: text({
    default: 'caseway-frontends',
    help: 'The public application (`client_id`) as which the front page and `/docs` sign people in',
  }),
  HSTS_SECONDS: integer({
    default: 0,
    min: 0,
    help: 'Seconds for which browsers reach this host by https only (`Strict-Transport-Security`); 0 says nothing about it',
  }),
  CORS_ORIGINS: list({ default: [], help: 'Origins of other web pages that may call, as `https://app.example.com`' }),
  TRUSTED_PROXIES: integer({ default: 0, min: 0, max: 10, help: 'Proxies before the gateway, each of which adds to `X-Forwarded-For`' }),
  BODY_LIMIT_BYTES: integer({ default: 1_048_576, min: 1, help: 'The largest body of a request, in bytes' }),
  REQUESTS_PER_MINUTE: integer({
    default: 6_000,
    min: 1,
    help: 'Requests of one caller in a minute, in each process; without a token a caller is an address (IPv6: one /64)',
  }),
  REQUESTS_AT_ONCE: integer({
    default: 100,
    min: 1,
    help: 'Requests of one caller at the same time, in each process, beside live streams and requests for a token',
  }),
  HEADERS_TIMEOUT_MS: integer({ default: 10_000, min: 1, help: 'Milliseconds in which the head of a request must arrive' }),
  REQUEST_TIMEOUT_MS: integer({ default: 30_000, min: 1, help: 'Milliseconds in which a whole request must arrive' }),
  UPSTREAM_TIMEOUT_MS: integer({ default: 5_000, min: 1, help: 'Milliseconds in which the answer of a service must begin' }),
  DOCUMENTS_CACHE_MS: integer({
    default: 5_000,
    min: 0,
    help: 'Milliseconds for which the document of a service is taken for its present one',
  }),
  UPSTREAM_CONNECTIONS: integer({ default: 256, min: 1, help: 'Connections to each service, beside those of live streams' }),
}

export const config = defineConfig('GATEWAY', variables, grpcIdentityRule, kafkaRule)

export type GatewayConfig = ConfigOf<typeof config>
