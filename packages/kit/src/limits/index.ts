export { everyLimit, type Limit, type LimitRule } from './limit.js'
export { type Limits, postgresLimits } from './postgres-limits.js'
