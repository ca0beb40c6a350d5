export { type LinkableObject, type LinkableObjects, type Linker, objectService, seenByEmployees } from './object-service.js'
export { type ReadRecords, recordClient } from './record-client.js'
export { recordService, type ShownRecords, shownRecords } from './record-service.js'
