export { missingStatements } from './migration.js'
export { isKnown, newId, newIdOf, newIdsOf } from './new-ids.js'
export { currentClient, currentClientText, currentOffice } from './policies.js'
export {
  type ClientAccess,
  clientRows,
  copied,
  foreignIds,
  impersonal,
  imported,
  isExported,
  isImported,
  notImported,
  officeRows,
  ofOffice,
  outlivesOffices,
  personal,
  personalRows,
  platformRows,
  readable,
  readableByOwner,
  secret,
  secretsOf,
  type TableRule,
  type Tables,
  unprotected,
  versioned,
  written,
} from './rules.js'
export { isProtected } from './statements.js'
export { undecidedColumns } from './undecided-columns.js'
export { undeclaredIds } from './undeclared-ids.js'
