export { databaseAddressVariables, databaseRule, ownerDatabaseRule, ownerDatabaseVariables } from './database-variables.js'
export {
  type Config,
  ConfigError,
  type ConfigOf,
  defineConfig,
  type Rule,
  unusable,
  type Values,
  type Variables,
  variableValue,
} from './define-config.js'
export { grpcIdentityRule, grpcIdentityVariables, grpcSecurity } from './grpc-variables.js'
export { kafkaRule, kafkaSettings, kafkaVariables } from './kafka-variables.js'
export { choices, dnsServers, hostNames, hostPorts, hosts, list, origins, secrets, urls } from './lists.js'
export { folder, pemFile } from './paths.js'
export { readOrExit } from './read-or-exit.js'
export {
  databaseVariables,
  grpcVariables,
  httpVariables,
  poolSettings,
  processVariables,
  serviceVariables,
  tokenVariables,
  tracingVariables,
} from './service-variables.js'
export {
  choice,
  type DeclaredVariable,
  flag,
  grpcTarget,
  host,
  integer,
  port,
  ratio,
  type SocketAddress,
  secret,
  secretExpected,
  secretOf,
  socketAddress,
  text,
  timeZone,
  url,
  type Variable,
  variable,
} from './variables.js'
