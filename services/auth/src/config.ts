import { grpcVariables } from '@caseway/kit/config'
import { secretVariables } from '@caseway/kit/secrets'
import { serviceConfig } from '@caseway/kit/service'
import { mailRule, mailVariables } from './account-mails/mail-variables.js'
import { passwordVariables } from './passwords/password-variables.js'
import { tokenVariables } from './tokens/token-settings.js'

export const config = serviceConfig('auth', {
  edges: grpcVariables,
  own: {
    ...secretVariables('encrypts the signing keys and the secrets of second factors, and derives refresh tokens'),
    ...tokenVariables,
    ...passwordVariables,
    ...mailVariables,
  },
  rule: mailRule,
})
