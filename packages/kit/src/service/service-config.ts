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
    help: 'Time zone of offices that have none or are not known yet, and of callers without an office',
  }),
}

const everywhere = { ...processVariables, ...httpVariables, ...grpcIdentityVariables, ...storage }

/** The configuration that `wire` gets: the database, the service's own variables, and the public URLs, which are missing on the command line. */
export type OwnValues<Own extends Variables> = Values<typeof storage & Own> &
  Partial<Pick<Values<typeof httpVariables>, 'expertUrl' | 'clientUrl'>>

/** The configuration of a running service, in addition to `OwnValues`: process, listeners and peers. */
export type ServiceValues = Values<typeof everywhere> &
  Partial<Values<typeof grpcVariables>> & { readonly tokenIssuer?: string; readonly jwksUrl?: readonly string[] }

/** The configuration of a service that is opened without listeners, in addition to `OwnValues`. */
export type AdministrationValues = Values<typeof storage & typeof grpcIdentityVariables> & { readonly tokenIssuer?: string }

export interface ServiceConfig<Own extends Variables = Variables> {
  /**
   * The configuration of the running service.
   * @throws ConfigError that lists every problem
   */
  read(env: NodeJS.ProcessEnv): ServiceValues & OwnValues<Own>
  /** The configuration of the service on the command line: those of the same variables that it needs without listeners. */
  readonly administration: { read(env: NodeJS.ProcessEnv): AdministrationValues & OwnValues<Own> }
  /** The variables as a table in Markdown, for a README. */
  table(): string
  /** The variables of the running service. */
  variables(): readonly DeclaredVariable[]
}

export interface ServiceVariables<Own extends Variables> {
  /** Groups of variables that only the running service needs, and not every service has: `grpcVariables`, `tokenVariables`. */
  readonly edges?: Variables
  /** The services that this one calls over gRPC. Each adds a variable for its address, such as `AUTH_GRPC_ADDRESS`. */
  readonly asks?: readonly string[]
  /** The service's own. */
  readonly own?: Own
  /** A rule about several of its own variables. */
  readonly rule?: Rule<Own>
}

/**
 * Declares the configuration of a service: the variables of every service (process, HTTP, database, Kafka, certificates), and its own. Their prefix is the name
 * of the service: `CASES_AND_COUNTERS_POOL_MAX`.
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

/** The configured gRPC address of another service, if any. */
export const addressOf = (values: object, peer: string): string | undefined =>
  variableValue(values, grpcAddressVariable(peer)) as string | undefined

const peerAddress = (peer: string, optional: boolean): Variable<string | undefined> => {
  const declared = { shared: true, help: `gRPC address of ${peer}, as \`dns:///${peer}:50051\`` }
  return optional ? grpcTarget({ ...declared, optional }) : grpcTarget(declared)
}
