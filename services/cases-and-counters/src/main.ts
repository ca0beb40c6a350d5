import { runService } from '@caseway/kit/process'
import { config } from './config.js'
import { startCasesAndCounters } from './service.js'

await runService('cases-and-counters', config, startCasesAndCounters)
