import {
  type ConfigOf,
  choice,
  defineConfig,
  hostPorts,
  integer,
  kafkaRule,
  kafkaVariables,
  port,
  text,
  tracingVariables,
} from '@caseway/kit/config'
import { logLevels } from '@caseway/kit/observability'

const own = { shared: true } as const

const variables = {
  HTTP_PORT: port({ ...own, default: 3000, help: 'Port for employees; 0 picks a free one' }),
  CLIENT_HTTP_PORT: port({ ...own, default: 3001, help: 'Port for clients; 0 picks a free one' }),
  METRICS_PORT: port({ ...own, default: 9464, help: 'Port of the metrics; 0 picks a free one' }),
  CASEWAY_HOME: text({ ...own, default: '.caseway', help: 'Folder of the data, secrets and log' }),
  COPIES: integer({ ...own, default: 1, min: 1, max: 9, help: 'Processes of each service of a distributed platform' }),
  ...kafkaVariables,
  KAFKA_BROKERS: hostPorts({
    ...own,
    default: [],
    help: 'Kafka brokers for a distributed platform; without them a broker is started',
  }),
  LOG_LEVEL: choice(logLevels, { ...own, default: 'info', help: 'Minimum log level' }),
  ...tracingVariables,
}

export const localConfig = defineConfig('LOCAL', variables, kafkaRule)

export type LocalConfig = ConfigOf<typeof localConfig>
