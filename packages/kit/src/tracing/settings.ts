/** The supported values of `OTEL_TRACES_SAMPLER` (OpenTelemetry, Environment Variable Specification): those that need no remote process. */
export const samplerNames = [
  'parentbased_traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'traceidratio',
  'always_on',
  'always_off',
] as const
export type SamplerName = (typeof samplerNames)[number]

/** The values of `tracingVariables`. Times are in milliseconds. */
export interface TracingSettings {
  /** The receiver of spans. Without it nothing is traced, and OpenTelemetry is not loaded. */
  readonly otelExporterOtlpEndpoint: string | undefined
  readonly otelExporterOtlpTimeout: number
  readonly otelTracesSampler: SamplerName
  /** The share of traces that is recorded, for a sampler `…ratio`. */
  readonly otelTracesSamplerArg: number
  readonly otelBspScheduleDelay: number
  readonly otelBspExportTimeout: number
  readonly otelBspMaxQueueSize: number
  readonly otelBspMaxExportBatchSize: number
}
