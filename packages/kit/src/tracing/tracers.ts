import type { Logger, Tracer } from '../observability/index.js'
import type { Recorder } from './recorder.js'
import type { TracingSettings } from './settings.js'

let recorder: Recorder | undefined

/**
 * Starts to record the traces of this process, and to send them over OTLP (http/protobuf). Call it before services are started, because they get their tracers
 * at the start. Without an endpoint it does nothing. An unavailable receiver neither delays nor fails requests.
 * @returns `stop` sends the remaining spans, for at most two seconds
 */
export async function startTracing(settings: TracingSettings, log: Logger): Promise<{ stop(): Promise<void> }> {
  const { otelExporterOtlpEndpoint: endpoint } = settings
  if (endpoint === undefined) return { stop: async () => undefined }
  const { openTelemetry } = await import('./open-telemetry.js')
  const own = openTelemetry({ ...settings, endpoint }, log)
  recorder = own
  return {
    async stop() {
      if (recorder === own) recorder = undefined
      await own.stop()
    },
  }
}

/** The tracer of a service; undefined where tracing is off. */
export const tracerOf = (service: string): Tracer | undefined => recorder?.tracerOf(service)
