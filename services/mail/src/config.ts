import { grpcVariables, integer, text, tokenVariables } from '@caseway/kit/config'
import { outboundVariables } from '@caseway/kit/outbound'
import { secretVariables } from '@caseway/kit/secrets'
import { serviceConfig } from '@caseway/kit/service'
import { s3Rule, s3Variables } from '@caseway/kit/storage'
import { compositionVariables } from './composition/composition-variables.js'
import { oauthProviderRule, oauthProviderVariables } from './mail-grants/oauth-provider-variables.js'
import { mailServerVariables } from './mail-servers/mail-server-variables.js'
import { receivingVariables } from './receiving/receiving-variables.js'
import { sendingVariables } from './sending/sending-variables.js'

export const config = serviceConfig('mail', {
  edges: { ...grpcVariables, ...tokenVariables },
  asks: ['auth', 'cases-and-counters', 'files'],
  own: {
    ...secretVariables('encrypts the passwords and tokens of mailboxes'),
    ...outboundVariables,
    ...mailServerVariables,
    ...oauthProviderVariables,
    ...receivingVariables,
    ...sendingVariables,
    ...compositionVariables,
    TRACE_RETENTION_DAYS: integer({
      ...{ default: 365, min: 0, max: 36_500 },
      help: 'Days for which the traces of messages are kept; 0 keeps them forever',
    }),
    FOLDER: text({
      default: '/var/lib/caseway/mail',
      help: 'Folder in which the bytes of messages are stored, unless an S3 store is configured',
    }),
    ...s3Variables('messages'),
  },
  rule: (values, nameOf) => [...s3Rule(values, nameOf), ...oauthProviderRule(values, nameOf)],
})
