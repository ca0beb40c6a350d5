export { warnOfPlainText } from './plain-text.js'
export { runMigrations } from './run-migrations.js'
export { runService, type ServiceParts } from './run-service.js'
