import { grpcVariables, integer, tokenVariables } from '@caseway/kit/config'
import { serviceConfig } from '@caseway/kit/service'

export const config = serviceConfig('polls-and-widgets', {
  edges: { ...grpcVariables, ...tokenVariables },
  asks: ['auth'],
  own: {
    POLL_ANSWER_RETENTION_DAYS: integer({
      shared: true,
      default: 0,
      min: 0,
      max: 36_500,
      help: 'Days after which answers are deleted; 0 keeps them',
    }),
  },
})
