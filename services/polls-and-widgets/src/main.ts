import { runService } from '@caseway/kit/service'
import { pollsAndWidgets } from './wiring.js'

await runService(pollsAndWidgets)
