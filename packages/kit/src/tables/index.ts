export { missingStatements } from './migration.js'
export { currentClient, currentClientText, currentOffice } from './policies.js'
export {
  type ClientAccess,
  clientRows,
  officeRows,
  ofOffice,
  outlivesOffices,
  platformRows,
  readable,
  readableByOwner,
  secret,
  type TableRule,
  type Tables,
  unprotected,
  versioned,
} from './rules.js'
export { isProtected } from './statements.js'
