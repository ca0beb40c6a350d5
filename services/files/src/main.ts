import { runService } from '@caseway/kit/service'
import { files } from './wiring.js'

await runService(files)
