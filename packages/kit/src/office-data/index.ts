export { countOfficeRows } from './count-office-rows.js'
export { enqueueErasure, officeErasure } from './office-erasure.js'
