import { runService } from '@caseway/kit/service'
import { companyCard } from './wiring.js'

await runService(companyCard)
