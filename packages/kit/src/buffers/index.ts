export { free, freeWritten } from './free.js'
