export { type Config, ConfigError, type ConfigOf, defineConfig, type Values, type Variables } from './define-config.js'
export {
  databaseVariables,
  grpcVariables,
  httpVariables,
  poolSettings,
  processVariables,
  serviceVariables,
  tokenVariables,
} from './service-variables.js'
export { choice, flag, integer, list, port, text, url, urls, type Variable } from './variables.js'
