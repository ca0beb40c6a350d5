export { missingStatements } from './migration.js'
export { currentClient, currentClientText, currentOffice } from './policies.js'
export {
  type ClientAccess,
  clientRows,
  impersonal,
  officeRows,
  ofOffice,
  outlivesOffices,
  personal,
  personalRows,
  platformRows,
  readable,
  readableByOwner,
  secret,
  type TableRule,
  type Tables,
  unprotected,
  versioned,
  written,
} from './rules.js'
export { isProtected } from './statements.js'
export { undecidedColumns } from './undecided-columns.js'
