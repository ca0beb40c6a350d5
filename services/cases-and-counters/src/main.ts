import { runService } from '@caseway/kit/service'
import { casesAndCounters } from './wiring.js'

await runService(casesAndCounters)
