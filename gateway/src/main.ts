import { runService } from '@caseway/kit/process'
import { config } from './config.js'
import { startGateway } from './service.js'

await runService('gateway', config, startGateway)
