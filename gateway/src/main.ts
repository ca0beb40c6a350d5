import { runProcess } from '@caseway/kit/process'
import { config } from './config.js'
import { startGateway } from './service.js'

await runProcess('gateway', config, startGateway)
