export { KeySet } from './key-set.js'
export { createTokenVerifier, type TokenVerifier } from './token-verifier.js'
