import { grpcVariables, integer, tokenVariables } from '@caseway/kit/config'
import { serviceConfig } from '@caseway/kit/service'

export const config = serviceConfig('cases-and-counters', {
  edges: { ...grpcVariables, ...tokenVariables },
  asks: ['auth', 'files', 'mail'],
  own: {
    COUNTER_CHECK_SECONDS: integer({
      default: 60,
      min: 0,
      max: 86_400,
      help: 'Seconds between two counter checks, of sixty offices each; 0 disables the check',
    }),
  },
})
