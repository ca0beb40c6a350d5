export { countOfficeRows } from './count-office-rows.js'
export { type ExportedTable, exportedRows, exportedTables } from './exported-rows.js'
export { enqueueErasure, officeErasure } from './office-erasure.js'
