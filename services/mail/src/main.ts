import { runService } from '@caseway/kit/service'
import { mail } from './wiring.js'

await runService(mail)
