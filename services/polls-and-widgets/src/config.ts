import { grpcVariables, tokenVariables } from '@caseway/kit/config'
import { serviceConfig } from '@caseway/kit/service'

export const config = serviceConfig('polls-and-widgets', { edges: { ...grpcVariables, ...tokenVariables }, asks: ['auth'] })
