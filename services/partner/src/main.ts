import { runService } from '@caseway/kit/service'
import { partner } from './wiring.js'

await runService(partner)
