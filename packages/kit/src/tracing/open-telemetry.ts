import { setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, resourceAttributesEnvDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import pTimeout from 'p-timeout'
import type { Logger, Tracer } from '../observability/index.js'
import { tracerOn } from './open-telemetry-tracer.js'
import type { Recorder } from './recorder.js'
import { samplerOf } from './sampler.js'
import type { TracingSettings } from './settings.js'

const stopTimeoutMs = 2_000
const complainEveryMs = 60_000

/**
 * A Recorder over the OpenTelemetry SDK. Spans are sent in the background from a bounded queue; those that do not fit or cannot be sent are dropped. Nothing
 * but the error handler is registered globally, so that libraries with instrumentation record nothing.
 */
export function openTelemetry(settings: TracingSettings & { endpoint: string }, log: Logger): Recorder {
  setGlobalErrorHandler(complaints(log))
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url: `${settings.endpoint}/v1/traces`, timeoutMillis: settings.otelExporterOtlpTimeout }),
    scheduledDelayMillis: settings.otelBspScheduleDelay,
    exportTimeoutMillis: settings.otelBspExportTimeout,
    maxQueueSize: settings.otelBspMaxQueueSize,
    maxExportBatchSize: settings.otelBspMaxExportBatchSize,
  })
  const sampler = samplerOf(settings)
  const parentDecides = settings.otelTracesSampler.startsWith('parentbased_')
  const detected = defaultResource().merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))

  const tracers = new Map<string, Tracer>()

  // Several services may share a process, and each is a resource (`service.name`).
  const createTracer = (service: string): Tracer => {
    const resource = detected.merge(resourceFromAttributes({ 'service.name': service }))
    const provider = new TracerProvider({ resource, sampler, spanProcessors: [processor] })
    return tracerOn(provider.getTracer('@caseway/kit'), parentDecides)
  }

  return {
    tracerOf(service) {
      const tracer = tracers.get(service) ?? createTracer(service)
      tracers.set(service, tracer)
      return tracer
    },
    async stop() {
      const sent = processor.shutdown().catch((err: unknown) => log.warn({ err }, 'the last spans could not be sent'))
      await pTimeout(sent, { milliseconds: stopTimeoutMs, message: false })
    },
  }
}

/** Logs failures of the exporter at most once a minute. */
function complaints(log: Logger) {
  let quietUntil = 0
  return (err: unknown) => {
    if (Date.now() < quietUntil) return
    quietUntil = Date.now() + complainEveryMs
    log.warn({ err }, 'spans could not be sent')
  }
}
