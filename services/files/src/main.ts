import { collectBuffersWithHeap } from '@caseway/kit/process'
import { runService } from '@caseway/kit/service'
import { files } from './wiring.js'

collectBuffersWithHeap()
await runService(files)
