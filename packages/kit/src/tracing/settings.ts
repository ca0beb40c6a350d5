/** The samplers of the specification that need no other process (OpenTelemetry, Environment Variable Specification, `OTEL_TRACES_SAMPLER`). */
export const samplerNames = [
  'parentbased_traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'traceidratio',
  'always_on',
  'always_off',
] as const
export type SamplerName = (typeof samplerNames)[number]

/** What `tracingVariables` say. Times are in milliseconds. */
export interface TracingSettings {
  /** Where spans go. Without it nothing is traced, and nothing loaded for it. */
  readonly otelExporterOtlpEndpoint: string | undefined
  readonly otelExporterOtlpTimeout: number
  readonly otelTracesSampler: SamplerName
  /** The share of the traces that is recorded, where the sampler takes one. */
  readonly otelTracesSamplerArg: number
  readonly otelBspScheduleDelay: number
  readonly otelBspExportTimeout: number
  readonly otelBspMaxQueueSize: number
  readonly otelBspMaxExportBatchSize: number
}
