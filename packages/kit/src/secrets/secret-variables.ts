import { secret, secrets } from '../config/index.js'

/**
 * The variables of a service with a secret; a copy with both reads what either has made, so that the secret is replaced while copies run.
 * @param help what the secret is for
 */
export const secretVariables = (help: string) => ({
  SECRET: secret({ help: `Secret that ${help}` }),
  SECRET_PREVIOUS: secrets({
    default: [],
    help: 'Previous secrets, still accepted for reading while the secret is being replaced',
  }),
})
