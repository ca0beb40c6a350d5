import { definitions } from '@caseway/command/definitions'
import { config as gatewayConfig } from '@caseway/gateway/config'
import type { DeclaredVariable } from '@caseway/kit/config'
import { migrationConfig } from '@caseway/kit/migrations'
import { grpcAddressVariable, type Outside, type ServiceEntry, services, urlVariable, variableOf } from '@caseway/registry'

/** A program that runs in pods of its own: a service, or the gateway. */
export interface Workload {
  readonly name: string
  /** The variables that it reads. */
  readonly variables: readonly DeclaredVariable[]
  /** The variables of its migration Job, if it has a database. */
  readonly migration?: readonly DeclaredVariable[]
  readonly ports: Readonly<Partial<Record<PortName, number>>>
  /** Destinations outside of the installation. */
  readonly reaches: readonly Outside[]
  /** Its data folder, used without an object storage. */
  readonly folder?: string
}

export type PortName = 'http' | 'client-http' | 'grpc' | 'metrics'

/** A variable with the address of another workload: its value within a namespace, and the connection that it implies. */
export interface Address {
  readonly value: string
  readonly to: string
  readonly port: PortName
}

const portVariables = { http: 'HTTP_PORT', 'client-http': 'CLIENT_HTTP_PORT', grpc: 'GRPC_PORT', metrics: 'METRICS_PORT' }

/** The ports of a workload, from the defaults of its variables. */
function portsOf(name: string, variables: readonly DeclaredVariable[]): Workload['ports'] {
  const defaults = new Map(variables.map((declared) => [declared.name, declared.variable.default]))
  const ports = Object.entries(portVariables).map(([port, variable]) => [port, defaults.get(variableOf(name, variable))])
  return Object.fromEntries(ports.filter(([, number]) => number !== undefined))
}

function serviceWorkload({ name, reaches = [], keepsFolder }: ServiceEntry): Workload {
  const definition = definitions.find((one) => one.name === name)
  if (!definition) throw new Error(`deploy/caseway/src/definitions.ts does not name the service ${name}.`)
  const variables = definition.config.variables()
  const folder = keepsFolder && { folder: `/var/lib/caseway/${name}` }
  return { name, variables, migration: migrationConfig(name).variables(), ports: portsOf(name, variables), reaches, ...folder }
}

const gatewayVariables = gatewayConfig.variables()

/** All workloads, the gateway last. */
export const workloads: readonly Workload[] = [
  ...services.map(serviceWorkload),
  { name: 'gateway', variables: gatewayVariables, ports: portsOf('gateway', gatewayVariables), reaches: [] },
]

/** The name of the headless Service, with which gRPC clients find every copy; a Service with a cluster IP would show them a single address. */
export const headlessOf = (workload: string) => `${workload}-grpc`

const addresses = new Map<string, Address>(
  workloads.flatMap(({ name, ports }) => [
    [urlVariable(name), { value: `http://${name}:${ports.http}`, to: name, port: 'http' }],
    [grpcAddressVariable(name), { value: `dns:///${headlessOf(name)}:${ports.grpc}`, to: name, port: 'grpc' }],
    ...(name === 'auth'
      ? [['JWKS_URL', { value: `http://${name}:${ports.http}/.well-known/jwks.json`, to: name, port: 'http' }] as const]
      : []),
  ]),
)

/** The address of another workload that a variable contains; undefined for other variables. */
export const addressOf = (variable: string): Address | undefined => addresses.get(variable)

/** The connections that a workload opens to others, derived from its variables, without duplicates. */
export function callsOf({ variables }: Workload): Address[] {
  const calls = variables.flatMap(({ name }) => addressOf(name) ?? [])
  return [...new Map(calls.map((call) => [`${call.to}:${call.port}`, call])).values()]
}

/** The workloads that connect to this port of a workload. */
export const callersOf = (workload: string, port: PortName): string[] =>
  workloads.filter((caller) => callsOf(caller).some((call) => call.to === workload && call.port === port)).map(({ name }) => name)
