export { type LinkableObject, type LinkableObjects, type Linker, objectService } from './object-service.js'
