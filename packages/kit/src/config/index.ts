export { databaseAddressVariables, databaseRule, ownerDatabaseRule, ownerDatabaseVariables } from './database-variables.js'
export {
  type Config,
  ConfigError,
  type ConfigOf,
  defineConfig,
  type Rule,
  type Values,
  type Variables,
  variableValue,
} from './define-config.js'
export { grpcIdentityRule, grpcIdentityVariables, grpcSecurity } from './grpc-variables.js'
export { kafkaRule, kafkaSettings, kafkaVariables } from './kafka-variables.js'
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
  integer,
  list,
  port,
  type SocketAddress,
  share,
  socketAddress,
  text,
  url,
  urls,
  type Variable,
} from './variables.js'
