import { config as authConfig } from '@caseway/auth/config'
import { startAuth } from '@caseway/auth/service'
import { config as casesConfig } from '@caseway/cases-and-counters/config'
import { startCasesAndCounters } from '@caseway/cases-and-counters/service'
import { config as gatewayConfig } from '@caseway/gateway/config'
import { startGateway } from '@caseway/gateway/service'
import type { EventTransport } from '@caseway/kit/events'
import type { Logger, Metrics } from '@caseway/kit/observability'
import { host, type Ports } from './ports.js'
import type { Secrets } from './secrets.js'

export interface Surroundings {
  ports: Ports
  secrets: Secrets
  logLevel: string
  transport: EventTransport
  logOf: (service: string) => Logger
  metricsOf: (service: string) => Metrics
}
