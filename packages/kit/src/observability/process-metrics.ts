import { totalmem } from 'node:os'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** In milliseconds. Each sample wakes the process: the default of 10 ms would cost a third of a percent of a core. */
const eventLoopMonitoringPrecision = 100

let ofProcess: Registry | undefined

/** The registry of the metrics of the process (memory, event loop), which all services in it share. */
export function processRegistry(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision })
    showMemoryLimit(ofProcess)
  }
  return ofProcess
}

/**
 * The memory limit of the container, in bytes, beyond which the kernel kills the process; undefined without a limit.
 * @param constrained `process.constrainedMemory()`: 0 where the limit is unknown, and more than `machine` where there is none
 * @param machine `os.totalmem()`
 */
export const memoryLimit = (constrained: number, machine: number): number | undefined =>
  constrained > 0 && constrained < machine ? constrained : undefined

function showMemoryLimit(registry: Registry): void {
  const limit = memoryLimit(process.constrainedMemory(), totalmem())
  const gauge = new Gauge({
    name: 'process_memory_limit_bytes',
    help: 'Memory that the container of the process may take; absent without a limit',
    registers: [registry],
  })
  // A gauge without labels would be shown as 0 until it is set or removed.
  if (limit === undefined) gauge.remove()
  else gauge.set(limit)
}
