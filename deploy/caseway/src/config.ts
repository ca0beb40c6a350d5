import { defineConfig, kafkaRule, kafkaVariables, list, text } from '@caseway/kit/config'

const shared = { shared: true } as const

/** What the commands read beside the variables of the services. */
const variables = {
  CASEWAY_HOME: text({ ...shared, default: '.caseway', help: 'Folder of the local installation' }),
  ...kafkaVariables,
  KAFKA_BROKERS: list({ ...shared, default: [], help: 'Kafka brokers as `host:port`; default: the broker of the local installation' }),
}

export const config = defineConfig('CASEWAY', variables, kafkaRule)
