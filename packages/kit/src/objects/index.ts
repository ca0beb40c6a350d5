export { type LinkableObject, type LinkableObjects, type Linker, objectService } from './object-service.js'
export { recordService, type ShownRecords, shownRecords } from './record-service.js'
