import { config as gatewayConfig } from '@caseway/gateway/config'
import { startGateway } from '@caseway/gateway/service'
import type { RunningService, Service, StartOptions } from '@caseway/kit/service'
import { databaseUrlVariable, grpcAddressVariable, prefixOf, registry, urlVariable } from '@caseway/registry'
import { frontends } from './demo/plan.js'
import type { Ports } from './ports.js'
import { host } from './reserved-port.js'

/** The addresses of the parts of the platform, as variables. */
export type Addresses = Readonly<Record<string, string>>

/** The configuration of a service in addition to the addresses; everything else has its default. */
export interface ServiceSettings {
  readonly databaseUrl: string
  /** Secrets and folders. */
  readonly variables: Readonly<Record<string, string>>
}

const jwksPath = '/.well-known/jwks.json'

/** The variables with the public URLs, which every service needs. */
export const publicAddresses = ({ http, clientHttp }: Ports): Addresses => ({
  EXPERT_URL: `http://${host}:${http}`,
  CLIENT_URL: `http://${host}:${clientHttp}`,
  TOKEN_ISSUER: 'caseway',
})

/** The variables with the addresses of the copies of a service, for its callers; those of auth include the URL of its JWKS. */
export function addressesOf(service: string, copies: readonly Pick<RunningService<unknown>, 'httpUrl' | 'grpcAddress'>[]): Addresses {
  const urls = copies.map(({ httpUrl }) => httpUrl)
  const grpc = copies.map(({ grpcAddress }) => grpcAddress).filter((address) => address !== '')
  return {
    [urlVariable(service)]: urls.join(','),
    ...(grpc.length > 0 && { [grpcAddressVariable(service)]: `ipv4:${grpc.join(',')}` }),
    ...(service === registry.auth.name && { JWKS_URL: urls.map((url) => `${url}${jwksPath}`).join(',') }),
  }
}

/** Free ports on the loopback interface, plain-text gRPC, and no readiness delay, because there is no load balancer. */
const inProcess = (service: string) => {
  const prefix = prefixOf(service)
  return {
    GRPC_INSECURE: 'true',
    [`${prefix}_HTTP_HOST`]: host,
    [`${prefix}_HTTP_PORT`]: '0',
    [`${prefix}_GRPC_HOST`]: host,
    [`${prefix}_GRPC_PORT`]: '0',
    [`${prefix}_READINESS_DELAY_MS`]: '0',
  }
}

/** Starts a service in this process. */
export const startInProcess = <Administration>(
  service: Service<Administration>,
  { databaseUrl, variables }: ServiceSettings,
  addresses: Addresses,
  options: StartOptions,
): Promise<RunningService<Administration>> =>
  service.start({ ...inProcess(service.name), ...addresses, ...variables, [databaseUrlVariable(service.name)]: databaseUrl }, options)

export const openGateway = (addresses: Addresses, ports: Ports, options: StartOptions) =>
  startGateway(
    gatewayConfig.read({
      ...inProcess('gateway'),
      ...addresses,
      GATEWAY_PAGES_CLIENT_ID: frontends.clientId,
      GATEWAY_HTTP_PORT: String(ports.http),
      GATEWAY_CLIENT_HTTP_PORT: String(ports.clientHttp),
    }),
    options,
  )
