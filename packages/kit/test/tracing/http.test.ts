import type { AddressInfo } from 'node:net'
import { createHttpServer } from '@caseway/kit/http'
import { createLog, createMetrics, requestContext } from '@caseway/kit/observability'
import { eventually, httpClient, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Served, serve } from '../http/support/served.js'
import { type Recording, recordTraces } from './support/recording.js'

const stranger = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const traceparentOf = (flags: string) => `00-${stranger.traceId}-${stranger.spanId}-${flags}`

let recording: Recording
let served: Served
beforeAll(async () => {
  recording = await recordTraces()
  served = await serve({
    expert: [
      (app) => {
        app.get('/note/:id', async () => ({ traceparent: requestContext.get()?.traceparent }))
        app.post('/echo', async () => {
          served.lines.length = 0
          app.log.info('worked on')
          return { inside: requestContext.get()?.span !== undefined }
        })
        app.get('/stream', { config: { longLived: true } }, async () => ({ inside: requestContext.get()?.span !== undefined }))
        app.get('/hangs', () => new Promise(() => undefined))
        app.get('/broken', async () => {
          throw new Error('canary of a message')
        })
      },
    ],
  })
})
afterAll(async () => {
  await served.stop()
  await recording.stop()
})

const api = () => served.asExpert(testTenant(served.issuer).expert)

describe('a request', () => {
  it('is a span by the pattern of its route, from which the trace continues', async () => {
    const { body } = await api().get<{ traceparent: string }>('/note/7?secret=canary')
    const span = await recording.spanOf('GET /expert/rest/note/:id')
    expect(span).toMatchObject({
      service: 'notes',
      kind: 'server',
      parentId: '',
      failed: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/expert/rest/note/:id',
        'http.response.status_code': 200,
        'url.scheme': 'http',
      },
    })
    expect(body.traceparent).toBe(`00-${span.traceId}-${span.spanId}-01`)
    expect(span.text).not.toContain('canary')
  })

  it('that has a body is in its trace too, and so are the lines of its log', async () => {
    const { body } = await api().post('/echo', { word: 'canary' })
    expect(body).toEqual({ inside: true })
    const span = await recording.spanOf('POST /expert/rest/echo')
    expect(JSON.parse(served.lines[0] ?? '{}')).toMatchObject({ msg: 'worked on', traceId: span.traceId })
  })

  it('that fails is marked as failed, without the error', async () => {
    await api().get('/broken')
    const span = await recording.spanOf('GET /expert/rest/broken')
    expect(span).toMatchObject({ failed: true, attributes: { 'http.response.status_code': 500, 'error.type': '500' } })
    expect(span.text).not.toContain('canary')
  })

  it('to a service continues the trace of its caller', async () => {
    const { body } = await api().get<{ traceparent: string }>('/note/8', { traceparent: traceparentOf('01') })
    expect(body.traceparent).toMatch(new RegExp(`^00-${stranger.traceId}-(?!${stranger.spanId})[\\da-f]{16}-01$`))
    const continued = () => recording.spans.filter(({ traceId }) => traceId === stranger.traceId)
    await eventually(() => expect(continued()).toMatchObject([{ parentId: stranger.spanId }]))
  })

  it('whose caller does not record is not recorded, and propagates the unset flag', async () => {
    const { body } = await api().get<{ traceparent: string; span?: object }>('/note/9', { traceparent: traceparentOf('00') })
    expect(body).toEqual({ traceparent: traceparentOf('00') })
  })

  it('that is a stream has no child spans', async () => {
    const { body } = await api().get('/stream')
    expect(body).toEqual({ inside: false })
    expect(await recording.spanOf('GET /expert/rest/stream')).toMatchObject({ attributes: { 'http.response.status_code': 200 } })
  })

  it('that is aborted ends its span without a status', async () => {
    const { token } = testTenant(served.issuer).expert
    const headers = { authorization: `Bearer ${token}` }
    await expect(fetch(`${served.url}/expert/rest/hangs`, { headers, signal: AbortSignal.timeout(200) })).rejects.toThrow()
    const span = await recording.spanOf('GET /expert/rest/hangs')
    expect(span.failed).toBe(false)
    expect(span.attributes).not.toHaveProperty('http.response.status_code')
  })

  it('to a health check begins no trace', async () => {
    const anybody = httpClient(served.url)
    await anybody.get('/healthz')
    await anybody.get('/nowhere')
    await recording.spanOf('GET')
    expect(recording.spans.filter(({ name }) => name.includes('healthz'))).toEqual([])
  })
})

describe('a stranger', () => {
  it('does not control the sampling of a trace, which has a link to theirs', async () => {
    const log = createLog({ service: 'door', level: 'silent' })
    const app = createHttpServer({ realm: 'door', log, metrics: createMetrics('door'), startsTraces: true })
    app.get('/open', async () => ({ traceparent: requestContext.get()?.traceparent }))
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    await httpClient(`http://127.0.0.1:${port}`).get('/open', { traceparent: traceparentOf('00') })
    const span = await recording.spanOf('GET /open')
    await app.close()
    expect(span).toMatchObject({ service: 'door', parentId: '', links: [stranger] })
    expect(span.traceId).not.toBe(stranger.traceId)
  })
})
