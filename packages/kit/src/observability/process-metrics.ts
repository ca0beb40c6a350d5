import { totalmem } from 'node:os'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** Each look at the event loop wakes the process; at the default of 10 ms this alone would be a third of a percent of a core. */
const eventLoopMonitoringPrecision = 100

let ofProcess: Registry | undefined

/** Memory, event loop and the like: of the process, so once, however many services share it. */
export function processRegistry(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision })
    showMemoryLimit(ofProcess)
  }
  return ofProcess
}

/**
 * What the container of the process may take, in bytes; beyond it the kernel ends the process.
 * @param constrained what Node.js says of the control group: 0 where it cannot tell, and more than there is where nothing is said
 * @param machine all memory that there is
 * @returns undefined where there is no limit
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
  // A gauge without labels is 0 until it is set or taken away.
  if (limit === undefined) gauge.remove()
  else gauge.set(limit)
}
