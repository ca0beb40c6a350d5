import { grpcAddressVariable, prefixOf } from '@caseway/registry/names'
import {
  type DeclaredVariable,
  databaseRule,
  databaseVariables,
  defineConfig,
  grpcIdentityRule,
  grpcIdentityVariables,
  grpcTarget,
  type grpcVariables,
  httpVariables,
  kafkaRule,
  processVariables,
  type Rule,
  timeZone,
  type Values,
  type Variable,
  type Variables,
  variableValue,
} from '../config/index.js'

const storage = {
  ...databaseVariables,
  DEFAULT_TIME_ZONE: timeZone({
    default: 'Europe/Warsaw',
    shared: true,
    help: 'Time zone of offices without one or not known yet, and of callers without an office',
  }),
}

const everywhere = { ...processVariables, ...httpVariables, ...grpcIdentityVariables, ...storage }

/** What `wire` sees: the variables of the database, the service's own, and the public addresses, which the command line does not know. */
export type OwnValues<Own extends Variables> = Values<typeof storage & Own> &
  Partial<Pick<Values<typeof httpVariables>, 'expertUrl' | 'clientUrl'>>

/** What the service is started with: `OwnValues`, and the variables of its process, listeners and peers. */
export type ServiceValues = Values<typeof everywhere> &
  Partial<Values<typeof grpcVariables>> & { readonly tokenIssuer?: string; readonly jwksUrl?: readonly string[] }

/** What the service is opened with, without listeners. */
export type AdministrationValues = Values<typeof storage & typeof grpcIdentityVariables> & { readonly tokenIssuer?: string }

export interface ServiceConfig<Own extends Variables = Variables> {
  /**
   * Of the service as it runs.
   * @throws ConfigError with every problem at once
   */
  read(env: NodeJS.ProcessEnv): ServiceValues & OwnValues<Own>
  /** Of the service without listeners, as the command line opens it: the same variables, as far as they matter there. */
  readonly administration: { read(env: NodeJS.ProcessEnv): AdministrationValues & OwnValues<Own> }
  /** The variables as a table in Markdown, for a README. */
  table(): string
  /** The variables of the service as it runs. */
  variables(): readonly DeclaredVariable[]
}

export interface ServiceVariables<Own extends Variables> {
  /** What matters only where the service runs, beside what every service needs there: `grpcVariables`, `tokenVariables`. */
  readonly edges?: Variables
  /** The services that this one asks over gRPC: each has a variable for its address, as `AUTH_GRPC_ADDRESS`. */
  readonly asks?: readonly string[]
  /** The service's own. */
  readonly own?: Own
  /** What has to hold for several of its own. */
  readonly rule?: Rule<Own>
}

/**
 * Declares the configuration of a service: the variables that every service has (process, HTTP, database, Kafka, certificates), and its own.
 * The prefix of its variables is its name: `CASES_AND_COUNTERS_POOL_MAX`.
 */
export function serviceConfig<const Own extends Variables = Record<never, never>>(
  name: string,
  variables: ServiceVariables<Own>,
): ServiceConfig<Own> {
  const { edges, asks = [], own } = variables
  const rule = (variables.rule ?? (() => [])) as Rule<Variables>
  const prefix = prefixOf(name)
  const peers = (optional: boolean) => Object.fromEntries(asks.map((peer) => [grpcAddressVariable(peer), peerAddress(peer, optional)]))
  const whole = { ...everywhere, ...edges, ...peers(false), ...own }
  const administration = { ...storage, ...grpcIdentityVariables, ...peers(true), ...own }
  const running = defineConfig(prefix, whole, databaseRule, grpcIdentityRule, kafkaRule, rule)
  const peersRule = (values: AdministrationValues) => (asks.some((peer) => addressOf(values, peer)) ? grpcIdentityRule(values) : [])
  const opened = defineConfig(prefix, administration, databaseRule, peersRule, rule)
  return {
    read: running.read as ServiceConfig<Own>['read'],
    administration: opened as unknown as ServiceConfig<Own>['administration'],
    table: running.table,
    variables: running.variables,
  }
}

/** The address of another service, where the configuration names one. */
export const addressOf = (values: object, peer: string): string | undefined =>
  variableValue(values, grpcAddressVariable(peer)) as string | undefined

const peerAddress = (peer: string, optional: boolean): Variable<string | undefined> => {
  const declared = { shared: true, help: `gRPC address of ${peer}, as \`dns:///${peer}:50051\`` }
  return optional ? grpcTarget({ ...declared, optional }) : grpcTarget(declared)
}
