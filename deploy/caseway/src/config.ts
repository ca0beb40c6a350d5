import { defineConfig, hostPorts, kafkaRule, kafkaVariables, text } from '@caseway/kit/config'

const shared = { shared: true } as const

/** The variables of the command line, in addition to those of the services. */
const variables = {
  CASEWAY_HOME: text({ ...shared, default: '.caseway', help: 'Folder of the local installation' }),
  ...kafkaVariables,
  KAFKA_BROKERS: hostPorts({ ...shared, default: [], help: 'Kafka brokers; default: the broker of the local installation' }),
}

export const config = defineConfig('CASEWAY', variables, kafkaRule)
