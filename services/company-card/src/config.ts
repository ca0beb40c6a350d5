import { tokenVariables } from '@caseway/kit/config'
import { serviceConfig } from '@caseway/kit/service'

export const config = serviceConfig('company-card', { edges: tokenVariables, asks: ['auth', 'files'] })
