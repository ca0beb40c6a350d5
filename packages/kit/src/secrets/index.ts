export { secretVariables } from './secret-variables.js'
export { createSecrets, type Digests, type Sealer, type Secrets } from './secrets.js'
