import { grpcVariables, tokenVariables } from '@caseway/kit/config'
import { outboundVariables } from '@caseway/kit/outbound'
import { secretVariables } from '@caseway/kit/secrets'
import { serviceConfig } from '@caseway/kit/service'
import { platformRule, platformVariables } from './accounting-platform/platform-variables.js'
import { singleSignOnRule, singleSignOnVariables } from './partner-client-data/single-sign-on-variables.js'

export const config = serviceConfig('partner', {
  edges: { ...grpcVariables, ...tokenVariables },
  asks: ['auth', 'cases-and-counters', 'files', 'company-card', 'polls-and-widgets'],
  own: {
    ...secretVariables('encrypts the tokens of the accounting platform and the secrets of webhooks'),
    ...outboundVariables,
    ...platformVariables,
    ...singleSignOnVariables,
  },
  rule: (values, nameOf) => [...platformRule(values, nameOf), ...singleSignOnRule(values, nameOf)],
})
