import { EventEmitter } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import { createLog } from '../observability/index.js'
import { lifecycle, stopOnSignals } from './index.js'

const log = createLog({ service: 'test', level: 'silent' })

function recorder() {
  const events: string[] = []
  const part = (name: string, over: { start?: () => unknown; stop?: () => unknown } = {}) => ({
    name,
    start() {
      events.push(`start ${name}`)
      return over.start?.()
    },
    stop() {
      events.push(`stop ${name}`)
      return over.stop?.()
    },
  })
  return { events, part }
}
const never = () => new Promise(() => {})

describe('a lifecycle', () => {
  it('starts in order, is ready after the last start, and stops in the reverse order', async () => {
    const { events, part } = recorder()
    const life = lifecycle({ log, readinessDelayMs: 0 })
    for (const name of ['database', 'grpc', 'http']) life.add(part(name, { start: () => expect(life.ready()).toBe(false) }))
    await life.start()
    expect(life.ready()).toBe(true)
    await life.stop()
    expect(events).toEqual(['start database', 'start grpc', 'start http', 'stop http', 'stop grpc', 'stop database'])
  })

  it('waits for each start and stop before the next', async () => {
    const { events, part } = recorder()
    const slowly = (what: string) => () => Promise.resolve().then(() => events.push(what))
    const life = lifecycle({ log, readinessDelayMs: 0 })
    life.add(part('a', { start: slowly('a runs'), stop: slowly('a ended') }))
    life.add(part('b', { start: slowly('b runs'), stop: slowly('b ended') }))
    await life.start()
    await life.stop()
    expect(events).toEqual(['start a', 'a runs', 'start b', 'b runs', 'stop b', 'b ended', 'stop a', 'a ended'])
  })

  it('takes a part without a start', async () => {
    const life = lifecycle({ log, readinessDelayMs: 0 })
    let stopped = false
    life.add({ name: 'pool', stop: () => (stopped = true) })
    await life.start()
    await life.stop()
    expect(stopped).toBe(true)
  })

  it('is unready from the beginning of the stop, and keeps serving for the delay', async () => {
    const life = lifecycle({ log, readinessDelayMs: 40 })
    let stoppedAt = 0
    life.add({ name: 'http', stop: () => (stoppedAt = performance.now()) })
    await life.start()
    const askedAt = performance.now()
    const stopped = life.stop()
    expect(life.ready()).toBe(false)
    await stopped
    expect(stoppedAt - askedAt).toBeGreaterThanOrEqual(38)
  })

  it('stops the started parts when a start fails, and throws that error', async () => {
    const { events, part } = recorder()
    const life = lifecycle({ log })
    life.add(part('database'))
    life.add(
      part('http', {
        start: () => {
          throw new Error('port taken')
        },
      }),
    )
    life.add(part('relay'))
    await expect(life.start()).rejects.toThrow('port taken')
    expect(life.ready()).toBe(false)
    expect(events).toEqual(['start database', 'start http', 'stop database'])
  })

  it('stops the others when one fails to stop', async () => {
    const { events, part } = recorder()
    const life = lifecycle({ log, readinessDelayMs: 0 })
    life.add(part('database'))
    life.add(part('http', { stop: () => Promise.reject(new Error('stuck')) }))
    await life.start()
    await life.stop()
    expect(events.slice(2)).toEqual(['stop http', 'stop database'])
  })

  it('stops once however often it is asked', async () => {
    const { events, part } = recorder()
    const life = lifecycle({ log, readinessDelayMs: 0 })
    life.add(part('http'))
    await life.start()
    expect(life.stop()).toBe(life.stop())
    await life.stop()
    expect(events).toEqual(['start http', 'stop http'])
  })

  it('waits for a running start before it stops, and starts nothing more', async () => {
    const { events, part } = recorder()
    const gate = Promise.withResolvers<void>()
    const life = lifecycle({ log, readinessDelayMs: 0 })
    life.add(part('migrations', { start: () => gate.promise }))
    life.add(part('http'))
    const started = life.start()
    const stopped = life.stop()
    gate.resolve()
    await Promise.all([started, stopped])
    expect(life.ready()).toBe(false)
    expect(events).toEqual(['start migrations', 'stop migrations'])
  })

  it('is never ready when the stop came during the last start', async () => {
    const gate = Promise.withResolvers<void>()
    const life = lifecycle({ log, readinessDelayMs: 0 })
    life.add({ name: 'http', start: () => gate.promise, stop: () => undefined })
    const started = life.start()
    const stopped = life.stop()
    gate.resolve()
    await started
    expect(life.ready()).toBe(false)
    await stopped
    expect(life.ready()).toBe(false)
  })

  it('stops without the delay when it was never ready', async () => {
    const life = lifecycle({ log, readinessDelayMs: 1_000, stopTimeoutMs: 100 })
    life.add({ name: 'http', stop: never })
    await expect(life.stop()).resolves.toBeUndefined()
  })

  it('leaves no timer that would keep the process alive', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
    const before = timers()
    const life = lifecycle({ log, readinessDelayMs: 0, stopTimeoutMs: 10_000 })
    await life.start()
    await life.stop()
    expect(timers()).toBe(before)
  })

  it('says in the log what has started and stopped, and what did not stop cleanly', async () => {
    const lines: Record<string, unknown>[] = []
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
    const life = lifecycle({ log: createLog({ service: 'test', level: 'debug', destination }), readinessDelayMs: 0 })
    life.add({ name: 'database', stop: () => undefined })
    life.add({ name: 'http', stop: () => Promise.reject(new Error('stuck')) })
    await life.start()
    await life.stop()
    expect(lines.map(({ level, part, msg, err }) => [level, part, msg, (err as Error | undefined)?.message])).toEqual([
      ['debug', 'database', 'started', undefined],
      ['debug', 'http', 'started', undefined],
      ['error', 'http', 'did not stop cleanly', 'stuck'],
      ['debug', 'database', 'stopped', undefined],
    ])
  })

  it('gives up at its timeout also during the readiness delay', async () => {
    const life = lifecycle({ log, readinessDelayMs: 200, stopTimeoutMs: 30 })
    life.add({ name: 'http', stop: () => undefined })
    await life.start()
    await expect(life.stop()).rejects.toThrow('Gave up stopping after 30 ms, still waiting for the readiness delay.')
  })

  it('gives up at its timeout, and names the part that has not stopped', async () => {
    const { events, part } = recorder()
    const life = lifecycle({ log, readinessDelayMs: 0, stopTimeoutMs: 30 })
    life.add(part('database'))
    life.add(part('http', { stop: never }))
    await life.start()
    await expect(life.stop()).rejects.toThrow('Gave up stopping after 30 ms, still waiting for http.')
    expect(events).not.toContain('stop database')
  })
})

describe('a signal', () => {
  function fakeProcess() {
    const emitter = new EventEmitter()
    const exited = Promise.withResolvers<number>()
    const from = Object.assign(emitter, { exit: (code?: number) => exited.resolve(code ?? 0) as never })
    return { from: from as unknown as NodeJS.Process, exited: exited.promise }
  }

  it.each(['SIGTERM', 'SIGINT'] as const)('%s stops once and ends the process with 0', async (signal) => {
    const { from, exited } = fakeProcess()
    let stops = 0
    stopOnSignals(async () => void stops++, { log, from })
    from.emit(signal, signal)
    from.emit('SIGINT', 'SIGINT')
    expect(await exited).toBe(0)
    expect(stops).toBe(1)
  })

  it('ends the process with 1 when the stop fails', async () => {
    const { from, exited } = fakeProcess()
    stopOnSignals(() => Promise.reject(new Error('gave up')), { log, from })
    from.emit('SIGTERM', 'SIGTERM')
    expect(await exited).toBe(1)
  })
})

describe('a part that exists only while it runs', () => {
  it('is accessible once it was started, and is stopped by its own function', async () => {
    const events: string[] = []
    const life = lifecycle({ log, readinessDelayMs: 0 })
    const server = life.running('server', () => ({ port: 5000, stop: () => events.push('server stopped') }))
    const lock = life.running(
      'lock',
      async () => 'held',
      (state) => events.push(`${state} lock given back`),
    )
    expect(() => server()).toThrow('server does not run.')
    await life.start()
    expect([server().port, lock()]).toEqual([5000, 'held'])
    await life.stop()
    expect(events).toEqual(['held lock given back', 'server stopped'])
  })
})
