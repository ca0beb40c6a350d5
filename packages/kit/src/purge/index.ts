export { eventTables, type PurgeOptions, startPurge } from './purge.js'
export type { PurgeRule } from './purge-rule.js'
