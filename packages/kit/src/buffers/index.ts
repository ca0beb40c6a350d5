export { free, freeWritten } from './free.js'
export { observe } from './observe.js'
