export { warnOfPlainText } from './plain-text.js'
export { releaseStartMemory } from './release-memory.js'
export { type ProcessParts, runProcess } from './run-process.js'
