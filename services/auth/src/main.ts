import { runService } from '@caseway/kit/service'
import { auth } from './wiring.js'

await runService(auth)
