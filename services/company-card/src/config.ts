import { grpcVariables, tokenVariables } from '@caseway/kit/config'
import { serviceConfig } from '@caseway/kit/service'

export const config = serviceConfig('company-card', { edges: { ...grpcVariables, ...tokenVariables }, asks: ['auth', 'files'] })
