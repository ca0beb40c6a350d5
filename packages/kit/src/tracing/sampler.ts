import { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, type Sampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace'
import type { SamplerName, TracingSettings } from './settings.js'

/** The configured sampler. The SDK itself does not read the variables. */
export function samplerOf({ otelTracesSampler, otelTracesSamplerArg }: TracingSettings): Sampler {
  const made: Record<SamplerName, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(otelTracesSamplerArg),
    parentbased_always_on: () => new ParentBasedSampler({ root: made.always_on() }),
    parentbased_always_off: () => new ParentBasedSampler({ root: made.always_off() }),
    parentbased_traceidratio: () => new ParentBasedSampler({ root: made.traceidratio() }),
  }
  return made[otelTracesSampler]()
}
