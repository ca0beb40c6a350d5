import { grpcVariables, list, text } from '@caseway/kit/config'
import { serviceConfig } from '@caseway/kit/service'
import { passwordVariables } from './passwords/password-variables.js'
import { tokenVariables } from './tokens/token-settings.js'

export const config = serviceConfig('auth', {
  edges: grpcVariables,
  own: {
    SECRET: text({ secret: true, help: 'Secret of 32 random bytes in base64: encrypts the signing keys and derives refresh tokens' }),
    SECRET_PREVIOUS: list({
      secret: true,
      default: [],
      help: 'Previous secrets, still accepted for reading while AUTH_SECRET is being replaced',
    }),
    ...tokenVariables,
    ...passwordVariables,
  },
})
