import { collectBuffersWithHeap, runProcess } from '@caseway/kit/process'
import { config } from './config.js'
import { startGateway } from './service.js'

collectBuffersWithHeap()
await runProcess('gateway', config, startGateway)
