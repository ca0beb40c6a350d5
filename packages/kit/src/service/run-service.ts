import { runProcess } from '../process/index.js'
import type { Service } from './define-service.js'

/** Runs a service as a process, until SIGTERM or SIGINT; see `runProcess`. */
export const runService = (service: Service): Promise<void> =>
  runProcess(service.name, service.config, (_values, parts) => service.start(process.env, parts))
