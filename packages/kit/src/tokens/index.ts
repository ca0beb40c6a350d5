export { bearerToken } from './bearer-token.js'
export { KeySet } from './key-set.js'
export { tokenLifeMs } from './token-life.js'
export { createTokenVerifier, type TokenVerifier } from './token-verifier.js'
