import { totalmem } from 'node:os'
import { createLog, createMetrics, startMetricsServer } from '@caseway/kit/observability'
import { afterEach, describe, expect, it } from '@jest/globals'
import { memoryLimit } from '../src/observability/process-metrics.js'

const log = createLog({ service: 'test', level: 'silent' })
const running: { stop(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()))
})

async function serve(...services: string[]) {
  const metrics = services.map(createMetrics)
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0, metrics, log })
  running.push(server)
  return { metrics, port: server.port, get: (path = '/metrics') => fetch(`http://127.0.0.1:${server.port}${path}`) }
}

describe('the server of metrics', () => {
  it('shows every service of the process, each metric described once', async () => {
    const { metrics, get } = await serve('auth', 'mail')
    for (const [index, { httpRequestDuration, httpRequests, poolWaiting }] of metrics.entries()) {
      httpRequestDuration.observe({ route: '/tag', method: 'GET' }, 0.02)
      httpRequests.inc({ route: '/tag', method: 'GET', status: '2xx' })
      poolWaiting.set(index + 1)
    }
    const response = await get()
    const body = await response.text()
    expect(response.headers.get('content-type')).toContain('text/plain')
    expect(body.match(/# TYPE http_request_duration_seconds histogram/g)).toHaveLength(1)
    for (const service of ['auth', 'mail']) {
      expect(body).toContain(`http_request_duration_seconds_count{route="/tag",method="GET",service="${service}"} 1`)
      expect(body).toContain(`http_requests_total{route="/tag",method="GET",status="2xx",service="${service}"} 1`)
    }
    expect(body).toContain('database_pool_waiting{service="auth"} 1')
    expect(body).toContain('database_pool_waiting{service="mail"} 2')
    expect(body).toMatch(/^process_resident_memory_bytes \d+$/m)
  })

  it('shows the start time of the process, and the memory limit of its container', async () => {
    const body = await (await (await serve('auth')).get()).text()
    const startedAt = Number(/^process_start_time_seconds (\d+)$/m.exec(body)?.[1])
    expect(Math.abs(startedAt - (Date.now() / 1000 - process.uptime()))).toBeLessThan(2)
    expect(body).toContain('# TYPE process_memory_limit_bytes gauge')
    const limit = memoryLimit(process.constrainedMemory(), totalmem())
    expect(/^process_memory_limit_bytes (.*)$/m.exec(body)?.[1]).toBe(limit?.toString())
  })

  it('answers nothing else', async () => {
    const { get } = await serve('auth')
    expect((await get('/')).status).toBe(404)
  })

  it('answers 500 and lives on when a metric cannot be read', async () => {
    const { metrics, get } = await serve('auth')
    const broken = metrics[0]?.poolWaiting as unknown as { get(): Promise<never> }
    broken.get = () => Promise.reject(new Error('broken'))
    expect((await get()).status).toBe(500)
    expect((await get('/')).status).toBe(404)
  })

  it('does not start where its port is in use', async () => {
    const { port } = await serve('auth')
    await expect(startMetricsServer({ host: '127.0.0.1', port, metrics: [], log })).rejects.toThrow('EADDRINUSE')
  })
})
