import type { Tracer } from '../observability/index.js'

/** Who records: one for the process, with a tracer for each service in it. */
export interface Recorder {
  tracerOf(service: string): Tracer
  /** Sends what was recorded, within bounds. */
  stop(): Promise<void>
}
