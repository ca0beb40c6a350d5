import { secret, secrets } from '../config/index.js'

/**
 * The variables of a service with a secret. During a rotation a copy of the service reads what either secret has sealed, so that none must be stopped.
 * @param help ends the sentence "Secret that …"
 */
export const secretVariables = (help: string) => ({
  SECRET: secret({ help: `Secret that ${help}` }),
  SECRET_PREVIOUS: secrets({
    default: [],
    help: 'Previous secrets, still accepted for reading while the secret is being replaced',
  }),
})
