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
 * The SDK of OpenTelemetry behind our own words. It keeps a bounded number of spans and sends them in the background; those that it cannot
 * keep or send are lost. Nothing is registered globally, so that nothing of others records by accident.
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

  // Several services may share a process; each of them is a resource of its own.
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

/** A receiver that is unavailable fails every few seconds: the log shows it now and then. */
function complaints(log: Logger) {
  let quietUntil = 0
  return (err: unknown) => {
    if (Date.now() < quietUntil) return
    quietUntil = Date.now() + complainEveryMs
    log.warn({ err }, 'spans could not be sent')
  }
}
