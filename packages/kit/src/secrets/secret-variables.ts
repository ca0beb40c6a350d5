import { list, text } from '../config/index.js'

/**
 * The variables of a service with a secret; a copy with both reads what either has made, so that the secret is replaced while copies run.
 * @param help what the secret is for
 */
export const secretVariables = (help: string) => ({
  SECRET: text({ secret: true, help: `Secret of 32 random bytes in base64: ${help}` }),
  SECRET_PREVIOUS: list({
    secret: true,
    default: [],
    help: 'Previous secrets, still accepted for reading while the secret is being replaced',
  }),
})
