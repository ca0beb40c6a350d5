import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigError } from '@caseway/kit/config'
import { createLog } from '@caseway/kit/observability'
import { errorTypeOf, startTracing, tracerOf } from '@caseway/kit/tracing'
import { eventually } from '@caseway/testing'
import { afterEach, describe, expect, it } from '@jest/globals'
import { conflict } from '../../src/errors/index.js'
import { freePort } from '../support/people-server.js'
import { recordTraces, settingsOf } from './support/recording.js'

const running: { stop(): unknown }[] = []
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.stop()
})
const record = async (env: Record<string, string> = {}) => {
  const recording = await recordTraces(env)
  running.push(recording)
  return recording
}
const begin = (parent?: string) => {
  const begun = tracerOf('service')?.begin('step', 'internal', { parent })
  begun?.span?.end()
  return begun
}

describe('traces', () => {
  it('are off without an endpoint', async () => {
    await startTracing(settingsOf({}), createLog({ service: 'test', level: 'silent' }))
    expect(tracerOf('service')).toBeUndefined()
  })

  it('are sent when the recorder stops, and not afterwards', async () => {
    const recording = await recordTraces({ OTEL_BSP_SCHEDULE_DELAY: '60000' })
    begin()
    await recording.stop()
    expect(recording.spans).toMatchObject([{ service: 'service', name: 'step' }])
    expect(tracerOf('service')).toBeUndefined()
  })

  it.each([
    ['always_off', '1', undefined, false],
    ['parentbased_traceidratio', '0', undefined, false],
    ['parentbased_traceidratio', '1', undefined, true],
    ['parentbased_traceidratio', '0', '01', true],
    ['parentbased_traceidratio', '1', '00', false],
    ['parentbased_always_off', '1', '01', true],
    ['parentbased_always_on', '0', '00', false],
    ['traceidratio', '1', '00', true],
    ['always_on', '0', '00', true],
  ])('with %s of %s and a parent %s: %s', async (sampler, share, parent, isRecorded) => {
    await record({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share })
    const begun = begin(parent && `00-${'a'.repeat(32)}-${'b'.repeat(16)}-${parent}`)
    expect(begun?.span !== undefined).toBe(isRecorded)
    expect(begun?.traceparent).toMatch(isRecorded ? /^00-[\da-f]{32}-[\da-f]{16}-01$/ : /^00-[\da-f]{32}-[\da-f]{16}-00$/)
  })

  it('begin anew where the parent is malformed', async () => {
    await record()
    expect(begin('00-trace-span-01')?.traceparent).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/)
  })

  it('are sampled by the ratio', async () => {
    await record({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' })
    const recorded = Array.from({ length: 20_000 }, () => begin()).filter((begun) => begun?.span)
    expect(recorded.length).toBeGreaterThan(100)
    expect(recorded.length).toBeLessThan(300)
  })

  it('are configured within bounds', () => {
    for (const share of ['1.1', '-0.1', 'half', '1e-2']) expect(() => settingsOf({ OTEL_TRACES_SAMPLER_ARG: share })).toThrow(ConfigError)
    expect(settingsOf({ OTEL_TRACES_SAMPLER_ARG: '0.25' }).otelTracesSamplerArg).toBe(0.25)
  })
})

describe('a receiver', () => {
  it('that is down is logged once, and does not delay the stop', async () => {
    const lines: string[] = []
    const log = createLog({ service: 'test', destination: { write: (line) => void lines.push(line) } })
    const endpoint = `http://127.0.0.1:${await freePort()}`
    const quick = { OTEL_EXPORTER_OTLP_TIMEOUT: '20', OTEL_BSP_SCHEDULE_DELAY: '1' }
    const tracing = await startTracing(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...quick }), log)
    const complaints = () => lines.filter((line) => JSON.parse(line).msg === 'spans could not be sent')
    begin()
    await eventually(() => expect(complaints()).toHaveLength(1))
    for (let i = 0; i < 5_000; i++) begin()
    const startedAt = performance.now()
    await tracing.stop()
    expect(performance.now() - startedAt).toBeLessThan(3_500)
    expect(complaints()).toHaveLength(1)
  })

  it('that hangs does not delay the stop for long', async () => {
    const hanging = createServer(() => undefined)
    await new Promise<void>((listening) => hanging.listen(0, '127.0.0.1', listening))
    running.push({ stop: () => hanging.close().closeAllConnections() })
    const endpoint = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`
    const slow = { OTEL_EXPORTER_OTLP_TIMEOUT: '4000', OTEL_BSP_EXPORT_TIMEOUT: '4000' }
    const log = createLog({ service: 'test', level: 'silent' })
    const tracing = await startTracing(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...slow }), log)
    begin()
    const startedAt = performance.now()
    await tracing.stop()
    expect(performance.now() - startedAt).toBeLessThan(3_500)
  })
})

describe('what a trace shows of an error', () => {
  it.each([
    [conflict('TITLE_TAKEN', 'Anna has it.'), 'TITLE_TAKEN'],
    [Object.assign(new Error('Anna'), { code: '23505' }), '23505'],
    [Object.assign(new Error('Anna'), { code: 'Anna Nowak' }), 'Error'],
    [new TypeError('Anna'), 'TypeError'],
    [new DOMException('Anna', 'TimeoutError'), 'TimeoutError'],
    ['Anna', '_OTHER'],
  ])('is one of a closed set of words (%#)', (error, word) => {
    expect(errorTypeOf(error)).toBe(word)
  })
})
