import type { Logger, Tracer } from '../observability/index.js'
import type { Recorder } from './recorder.js'
import type { TracingSettings } from './settings.js'

let recorder: Recorder | undefined

/**
 * Records the traces of this process from now on, and sends them over OTLP (http/protobuf). It has to be there before the services,
 * which take their tracers when they start. Without an endpoint it does nothing. A receiver that is unavailable delays and fails no request.
 * @returns what sends the rest, within two seconds, and ends it
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

/** Begins the traces of a service; undefined while nothing is recorded. */
export const tracerOf = (service: string): Tracer | undefined => recorder?.tracerOf(service)
