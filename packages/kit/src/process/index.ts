export { warnOfPlainText } from './plain-text.js'
export { runMigrations } from './run-migrations.js'
export { type ProcessParts, runProcess } from './run-process.js'
