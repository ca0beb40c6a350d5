import {
  type ConfigOf,
  defineConfig,
  flag,
  grpcIdentityRule,
  grpcIdentityVariables,
  grpcTarget,
  httpVariables,
  integer,
  kafkaRule,
  origins,
  port,
  processVariables,
  text,
  tokenVariables,
  urls,
  type Variable,
  variableValue,
} from '@caseway/kit/config'
import { type ServiceName, serviceNames, urlVariable } from '@caseway/registry'

/** The URL variable of each service; `urlsOf` reads their values. */
const serviceUrls: Record<never, Variable<readonly string[]>> = Object.fromEntries(
  serviceNames.map((name) => [
    urlVariable(name),
    urls({ shared: true, help: `HTTP addresses of the copies of ${name}; with several, their readiness is checked` }),
  ]),
)

const variables = {
  ...processVariables,
  ...httpVariables,
  HTTP_PORT: port({ default: 3000, help: 'Port for employees; 0 picks a free one' }),
  CLIENT_HTTP_PORT: port({ default: 3001, help: 'Port for clients; 0 picks a free one' }),
  ...tokenVariables,
  AUTH_GRPC_ADDRESS: grpcTarget({ shared: true, help: 'gRPC address of auth, as `dns:///auth:50051`' }),
  ...grpcIdentityVariables,
  ...serviceUrls,
  SHARED_PORTS: flag({ default: false, help: 'Let several processes listen on the same ports of one machine (SO_REUSEPORT)' }),
  FRONT_PAGE: flag({
    default: true,
    help: 'Serve a page at `/`: the front page for employees, and for clients the target page of the links in mails',
  }),
  PAGES_CLIENT_ID: text({
    default: 'caseway-frontends',
    help: 'Public application (`client_id`) with which the front page and `/docs` sign people in',
  }),
  HSTS_SECONDS: integer({
    default: 0,
    min: 0,
    help: 'max-age of `Strict-Transport-Security`, in seconds; 0 omits the header',
  }),
  CORS_ORIGINS: origins({ default: [], help: 'Origins of the pages that may call the API (CORS)' }),
  TRUSTED_PROXIES: integer({
    default: 0,
    min: 0,
    max: 10,
    help: 'Number of proxies in front of the gateway, each of which appends to `X-Forwarded-For`',
  }),
  BODY_LIMIT_BYTES: integer({ default: 1_048_576, min: 1, help: 'Maximum size of a request body, in bytes' }),
  UPLOAD_LIMIT_BYTES: integer({
    default: 105_906_176,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    help: 'Maximum size of the body of an upload, in bytes, including the overhead of its form',
  }),
  REQUESTS_PER_MINUTE: integer({
    default: 6_000,
    min: 1,
    help: 'Requests per minute and caller, in each process; a caller without a token is an address (IPv6: one /64)',
  }),
  REQUESTS_AT_ONCE: integer({
    default: 100,
    min: 1,
    help: 'Concurrent requests per caller, in each process; live streams and token requests are not counted',
  }),
  HEADERS_TIMEOUT_MS: integer({ default: 10_000, min: 1, help: 'Timeout of a request’s head, in milliseconds' }),
  REQUEST_TIMEOUT_MS: integer({ default: 30_000, min: 1, help: 'Timeout of a whole request, in milliseconds' }),
  UPSTREAM_TIMEOUT_MS: integer({ default: 5_000, min: 1, help: 'Timeout of the head of a service’s response, in milliseconds' }),
  DOCUMENTS_CACHE_MS: integer({
    default: 5_000,
    min: 0,
    help: 'Milliseconds for which the OpenAPI document of a service is cached',
  }),
  UPSTREAM_CONNECTIONS: integer({
    default: 256,
    min: 1,
    help: 'Maximum number of connections to each service, without those of live streams',
  }),
  UPSTREAM_CONNECTION_MS: integer({
    default: 10_000,
    min: 1,
    help: 'Milliseconds after which a connection to a service is replaced, so that another copy behind the same address can be reached',
  }),
}

export const config = defineConfig('GATEWAY', variables, grpcIdentityRule, kafkaRule)

export type GatewayConfig = ConfigOf<typeof config>

/** The base URLs of the copies of a service. */
export const urlsOf = (config: GatewayConfig, service: ServiceName) => variableValue(config, urlVariable(service)) as readonly string[]
