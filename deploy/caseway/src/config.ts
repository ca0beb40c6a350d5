import { defineConfig, list, text } from '@caseway/kit/config'

const shared = { shared: true } as const

/** What the commands read beside the variables of the services. */
export const config = defineConfig('CASEWAY', {
  CASEWAY_HOME: text({ ...shared, default: '.caseway', help: 'Folder of the local installation, where no variable names another one' }),
  KAFKA_BROKERS: list({ ...shared, default: [], help: 'Kafka brokers as `host:port`; without them the one of the local installation' }),
})
