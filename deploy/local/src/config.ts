import {
  type ConfigOf,
  choice,
  defineConfig,
  integer,
  kafkaRule,
  kafkaVariables,
  list,
  port,
  text,
  tracingVariables,
} from '@caseway/kit/config'
import { logLevels } from '@caseway/kit/observability'

const own = { shared: true } as const

const variables = {
  HTTP_PORT: port({ ...own, default: 3000, help: 'Port of the address for experts; 0 takes a free one' }),
  CLIENT_HTTP_PORT: port({ ...own, default: 3001, help: 'Port of the address for clients; 0 takes a free one' }),
  METRICS_PORT: port({ ...own, default: 9464, help: 'Port of the metrics; 0 takes a free one' }),
  CASEWAY_HOME: text({ ...own, default: '.caseway', help: 'Folder of data, secrets and log' }),
  COPIES: integer({ ...own, default: 1, min: 1, max: 9, help: 'Processes of each service, of a distributed platform' }),
  ...kafkaVariables,
  KAFKA_BROKERS: list({
    ...own,
    default: [],
    help: 'Kafka brokers as `host:port`, of a distributed platform; without them one is started here',
  }),
  LOG_LEVEL: choice(logLevels, { ...own, default: 'info', help: 'The least grave lines that the log shows' }),
  ...tracingVariables,
}

export const localConfig = defineConfig('LOCAL', variables, kafkaRule)

export type LocalConfig = ConfigOf<typeof localConfig>
