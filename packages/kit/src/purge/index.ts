export { kitTables, type PurgeOptions, purge } from './purge.js'
export type { PurgeRule } from './purge-rule.js'
