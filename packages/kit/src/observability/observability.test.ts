import { describe, expect, it, jest } from '@jest/globals'
import { unavailable } from '../errors/index.js'
import { createLog, createMetrics, requestContext, requestIdFrom } from './index.js'

function capture(level?: 'debug' | 'info') {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ service: 'shop', ...(level && { level }), destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  return { log, lines }
}
const deadline = Date.now() + 1_000

describe('the log', () => {
  it('writes one object per line with the service, the level by name and a time', () => {
    const { log, lines } = capture()
    log.info({ orders: 3 }, 'sold')
    log.debug('not shown')
    expect(lines).toEqual([{ level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), service: 'shop', orders: 3, msg: 'sold' }])
  })

  it('says for whom a line was written', () => {
    const { log, lines } = capture()
    const sessionId = 's'
    requestContext.run({ requestId: 'r1', deadline }, () => log.info('before the token was read'))
    requestContext.run(
      { requestId: 'r2', deadline, caller: { audience: 'expert', role: 'trainee', userId: 7n, customerId: 2n, sessionId } },
      () => log.info('an employee'),
    )
    requestContext.run(
      { requestId: 'r3', deadline, caller: { audience: 'client', role: 'client', userId: 9n, customerId: null, sessionId } },
      () => log.info('a client'),
    )
    log.info('nobody')
    expect(lines.map(({ requestId, userId, customerId, role }) => [requestId, userId, customerId, role])).toEqual([
      ['r1', undefined, undefined, undefined],
      ['r2', '7', '2', 'trainee'],
      ['r3', '9', undefined, 'client'],
      [undefined, undefined, undefined, undefined],
    ])
  })

  it('redacts secrets at three levels', () => {
    const { log, lines } = capture()
    const secret = { password: 'canary', token: 'canary', authorization: 'canary', client_secret: 'canary' }
    log.info({ ...secret, headers: secret, request: { headers: secret } })
    expect(JSON.stringify(lines)).not.toContain('canary')
    expect(lines[0]).toMatchObject({ password: '[redacted]', request: { headers: { authorization: '[redacted]' } } })
  })

  it('shows the type, message, code, stack and causes of an error, and no other properties', () => {
    const { log, lines } = capture()
    const driver = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (email)=(canary) exists',
      parameters: ['canary'],
    })
    log.error({ err: new TypeError('outer', { cause: driver }) }, 'failed')
    log.error({ err: 'just a text' })
    expect(lines[0]?.err).toEqual({
      type: 'TypeError',
      message: 'outer',
      stack: expect.stringContaining('outer'),
      cause: { type: 'Error', message: 'duplicate key', code: '23505', stack: expect.any(String) },
    })
    expect(lines[1]?.err).toEqual({ type: 'string', message: 'just a text' })
    expect(JSON.stringify(lines)).not.toContain('canary')
  })

  it('shows the stacks of an outage once a minute for each reason, and its causes always', () => {
    const { log, lines } = capture()
    const lost = () => log.warn({ err: unavailable(new Error('connection lost')) }, 'refused')
    const stacks = (line: { err?: { stack?: string; cause?: { stack?: string } } } | undefined) => [
      line?.err?.stack !== undefined,
      line?.err?.cause?.stack !== undefined,
    ]
    const startedAt = performance.now()
    const now = jest.spyOn(performance, 'now').mockReturnValue(startedAt)
    lost()
    lost()
    log.warn({ err: unavailable(new Error('no room')) }, 'refused')
    log.error({ err: new Error('connection lost') }, 'failed')
    now.mockReturnValue(startedAt + 59_000)
    lost()
    now.mockReturnValue(startedAt + 61_000)
    lost()
    now.mockRestore()
    expect(lines.map(stacks)).toEqual([
      [true, true],
      [false, false],
      [true, true],
      [true, false],
      [false, false],
      [true, true],
    ])
    const { err } = lines[1] as { err: unknown }
    expect(err).toEqual({
      ...{ type: 'AppError', code: 'UNAVAILABLE', message: 'The service is temporarily unavailable.' },
      cause: { type: 'Error', message: 'connection lost' },
    })
  })

  it('truncates a cyclic chain of causes', () => {
    const { log, lines } = capture()
    const error = new Error('round')
    error.cause = error
    log.error({ err: error })
    expect(JSON.stringify(lines[0]).match(/"message":"round"/g)).toHaveLength(6)
  })
})

describe('the context of a request', () => {
  it('is kept across every await, and separate for concurrent requests', async () => {
    const seen = await Promise.all(
      ['a', 'b'].map((requestId) =>
        requestContext.run({ requestId, deadline }, async () => {
          await new Promise(setImmediate)
          return requestContext.get()?.requestId
        }),
      ),
    )
    expect(seen).toEqual(['a', 'b'])
    expect(requestContext.get()).toBeUndefined()
  })

  it.each([undefined, '', 'x'.repeat(129), 'a b', 'a\nb', '<a>', 5])('makes a new request id for %j', (given) => {
    expect(requestIdFrom(given)).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('keeps a valid request id', () => {
    expect(requestIdFrom('req_1.2-3')).toBe('req_1.2-3')
  })
})

describe('the metrics', () => {
  it('carry the service on every series', async () => {
    const metrics = createMetrics('shop')
    metrics.deadLetters.inc({ topic: 't' })
    expect(await metrics.registry.metrics()).not.toMatch(/^consumer_last_poll/m)
    expect(await metrics.registry.metrics()).toContain('dead_letters_total{topic="t",service="shop"} 1')
  })

  it('have no label that Prometheus itself sets, which would be renamed to exported_…', () => {
    const metrics = createMetrics('shop').registry.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[]
    const labels = metrics.flatMap(({ labelNames }) => labelNames)
    expect(labels).toContain('job_name')
    for (const set of ['job', 'instance', 'namespace', 'pod', 'container', 'endpoint']) expect(labels).not.toContain(set)
  })
})
