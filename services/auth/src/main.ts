import { runService } from '@caseway/kit/process'
import { config } from './config.js'
import { startAuth } from './service.js'

await runService('auth', config, startAuth)
