export { databaseConnection } from './connection.js'
export { type SslMode, sslModeOf, sslProblem, staysOnThisMachine } from './ssl-mode.js'
