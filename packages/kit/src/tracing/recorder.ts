import type { Tracer } from '../observability/index.js'

/** Records the traces of a process, with a tracer for each service in it. */
export interface Recorder {
  tracerOf(service: string): Tracer
  /** Sends the remaining spans, for at most two seconds. */
  stop(): Promise<void>
}
