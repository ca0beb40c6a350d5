import { randomId, type TestTenant, testTechnical } from '@caseway/testing'
import type { Receiver } from '@caseway/testing/webhook-receiver'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { deliveriesOf, newCase, newWebhook, startWebhooks, untilReceived, type Webhooks } from './support/webhooks.js'

let webhooks: Webhooks
let there: Receiver
let office: TestTenant
beforeAll(async () => {
  webhooks = await startWebhooks()
  there = webhooks.receivers[0] as Receiver
})
afterAll(() => webhooks.stop())
beforeEach(() => {
  there.received.length = 0
  office = webhooks.office()
})

const url = 'https://hooks.example/caseway'
const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

describe('POST /rest/webhook', () => {
  it('creates a webhook, and shows its secret once', async () => {
    const http = webhooks.asExpert(office.expert)
    const { status, headers, body } = await http.post<{ id: number }>('/webhook', {
      Webhook: { url, events: ['issue.created'], description: 'Ours' },
    })
    expect(status).toBe(201)
    expect(body).toEqual({ id: expect.any(Number), secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) })
    expect(headers.get('location')).toMatch(new RegExp(`/rest/webhook/${body.id}$`))
    expect((await http.get(`/webhook/${body.id}`)).body).toEqual({
      Webhook: {
        ...{ id: String(body.id), customer_id: String(office.customerId), user_id: String(office.expert.userId) },
        ...{ url, events: ['issue.created'], active: '1', description: 'Ours' },
        ...{ failing_since: null, last_error: null, disabled_at: null, created: time, modified: time },
      },
    })
  })

  it.each([
    'http://hooks.example',
    'https://user:password@hooks.example',
    'https://user@hooks.example',
    'https://127.0.0.1',
    'https://0x7f.1',
    'https://2130706433',
    'https://10.0.0.1:8443/x',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]',
    'https://[::ffff:192.168.0.1]',
    'ftp://hooks.example',
    'hooks.example',
    '',
  ])('refuses %j', async (url) => {
    const { status, body } = await webhooks.asExpert(office.expert).post('/webhook', { Webhook: { url, events: ['*'] } })
    expect(status).toBe(400)
    expect(body).toEqual({ status: 'error', errorMessages: { url: expect.any(String) } })
  })

  it.each([[[]], [['issue.burned']], [['*', '*']], ['issue.created'], [null]])('refuses the events %j', async (events) => {
    const { status, body } = await webhooks.asExpert(office.expert).post('/webhook', { Webhook: { url, events } })
    expect(status).toBe(400)
    expect(body).toEqual({ status: 'error', errorMessages: { events: expect.any(String) } })
  })

  it('names an address that is not allowed together with other invalid fields', async () => {
    const http = webhooks.asExpert(office.expert)
    const { id } = await newWebhook(http, { url })
    const sent = { Webhook: { url: 'https://10.0.0.1', events: [], active: 2 } }
    const wrong = { url: 'must not be a private address', events: expect.any(String), active: 'must be 0 or 1' }
    for (const { status, body } of [await http.post('/webhook', sent), await http.put(`/webhook/${id}`, sent)])
      expect([status, body]).toEqual([400, { status: 'error', errorMessages: wrong }])
  })

  it('refuses the 21st webhook of an office, also under concurrency', async () => {
    const http = webhooks.asExpert(office.expert)
    const made = await Promise.all(Array.from({ length: 25 }, () => http.post('/webhook', { Webhook: { url, events: ['*'] } })))
    expect(made.filter(({ status }) => status === 201)).toHaveLength(20)
    const refused = made.filter(({ status }) => status === 409)
    expect(refused.map(({ body }) => body)).toEqual(
      Array(5).fill({ status: 'error', errorMessages: 'An office has at most 20 webhooks.', errorCode: 'WEBHOOK_LIMIT' }),
    )
  })

  it('creates one webhook for an Idempotency-Key, and shows its secret again, which is stored encrypted', async () => {
    const http = webhooks.asExpert(office.expert)
    const sent = (path: string, body: object) => http.post<{ id: number; secret: string }>(path, body, { 'idempotency-key': 'a' })
    const body = { Webhook: { url, events: ['*'] } }
    const [one, two] = [await sent('/webhook', body), await sent('/webhook', body)]
    expect([two.status, two.text]).toEqual([201, one.text])
    expect((await http.get('/webhook')).body).toHaveLength(1)
    const [third, fourth] = [await sent(`/webhook/${one.body.id}/secret`, {}), await sent(`/webhook/${one.body.id}/secret`, {})]
    expect([fourth.text, third.body.secret === one.body.secret]).toEqual([third.text, false])
    expect((await sent('/webhook', { Webhook: { url, events: ['issue.created'] } })).body).toMatchObject({
      errorCode: 'IDEMPOTENCY_KEY_REUSED',
    })
    const kept = await webhooks.database.rows<{ body: string }>('SELECT body FROM kit.idempotency_key')
    expect(kept).toHaveLength(2)
    for (const { body } of kept) expect(Buffer.from(body, 'base64').toString() + body).not.toContain('whsec_')
  })
})

describe('PUT /rest/webhook/{id}', () => {
  it('applies to the events from then on', async () => {
    const http = webhooks.asExpert(office.expert)
    const { id } = await newWebhook(http, { url: there.url, events: ['issue.deleted'] })
    await webhooks.publishCase(office, newCase(webhooks, 'before the change'), 'changed')
    expect((await http.put(`/webhook/${id}`, { Webhook: { events: ['issue.updated'] } })).body).toEqual({ status: 'OK' })
    await webhooks.publishCase(office, newCase(webhooks, 'after the change'), 'changed')
    expect((await untilReceived(there, 1)).map(({ body }) => body.data.Issue?.subject)).toEqual(['after the change'])
  })

  it('refuses the addresses that POST refuses, and an old version', async () => {
    const http = webhooks.asExpert(office.expert)
    const { id } = await newWebhook(http, { url })
    expect((await http.put(`/webhook/${id}`, { Webhook: { url: 'https://192.168.1.1' } })).body).toEqual({
      ...{ status: 'error', errorMessages: { url: 'must not be a private address' } },
    })
    expect((await http.put(`/webhook/${id}`, { Webhook: { description: 'x' } }, { 'if-match': '"7"' })).status).toBe(412)
  })

  it('a webhook that is switched off gets no events', async () => {
    const http = webhooks.asExpert(office.expert)
    const { id } = await newWebhook(http, { url: there.url })
    await http.put(`/webhook/${id}`, { Webhook: { active: 0 } })
    await webhooks.publishCase(office, newCase(webhooks))
    expect(await deliveriesOf(http)).toEqual([])
  })
})

describe('POST /rest/webhook/{id}/secret', () => {
  it('replaces the secret; both sign for a day', async () => {
    const http = webhooks.asExpert(office.expert)
    const { id, secret } = await newWebhook(http, { url: there.url })
    const { status, body } = await http.post<{ secret: string }>(`/webhook/${id}/secret`)
    expect(status).toBe(200)
    expect(body).toEqual({ secret: expect.stringMatching(/^whsec_/) })
    await webhooks.publishCase(office, newCase(webhooks))
    const [both] = await untilReceived(there, 1)
    const verify = (secret: string, got = both) => new Webhook(secret).verify(got?.text ?? '', got?.headers as Record<string, string>)
    expect([verify(secret), verify(body.secret)]).toEqual([both?.body, both?.body])
    expect(String(both?.headers['webhook-signature']).split(' ')).toHaveLength(2)

    await webhooks.database.rows("UPDATE webhooks SET previous_secret_until = now() - interval '1 second' WHERE id = $1", [id])
    await webhooks.publishCase(office, newCase(webhooks))
    const [, one] = await untilReceived(there, 2)
    expect(verify(body.secret, one)).toEqual(one?.body)
    expect(() => verify(secret, one)).toThrow()
  })

  it('is encrypted, and stored nowhere in plain text', async () => {
    const http = webhooks.asExpert(office.expert)
    const { id, secret } = await newWebhook(http, { url })
    const { body } = await http.post<{ secret: string }>(`/webhook/${id}/secret`)
    const [row] = await webhooks.database.rows<{ text: string }>('SELECT to_jsonb(webhooks)::text AS text FROM webhooks WHERE id = $1', [
      id,
    ])
    for (const one of [secret, body.secret]) {
      const hex = Buffer.from(one.slice('whsec_'.length), 'base64').toString('hex')
      for (const form of [one.slice(6), hex, Buffer.from(one).toString('hex')]) expect(row?.text).not.toContain(form)
    }
  })
})

describe('POST /rest/webhook/{id}/test', () => {
  it('tries once, and answers with the outcome', async () => {
    const http = webhooks.asExpert(office.expert)
    const { id, secret } = await newWebhook(http, { url: there.url })
    const ok = await http.post(`/webhook/${id}/test`)
    expect([ok.status, ok.body]).toEqual([200, { WebhookTest: { delivered: true, status_code: 204, error: null } }])
    const [got] = there.received
    expect(new Webhook(secret).verify(got?.text ?? '', got?.headers as Record<string, string>)).toMatchObject({ type: 'webhook.test' })
    there.answer = (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end('secret of the receiver')
    expect((await http.post(`/webhook/${id}/test`)).body).toEqual({ WebhookTest: { delivered: false, status_code: 302, error: 'status' } })
    there.answer = (response) => void response.destroy()
    expect((await http.post(`/webhook/${id}/test`)).body).toEqual({
      WebhookTest: { delivered: false, status_code: null, error: 'unreachable' },
    })
    there.answer = (response) => void response.writeHead(200).end(Buffer.alloc(70_000))
    expect((await http.post(`/webhook/${id}/test`)).body).toEqual({
      WebhookTest: { delivered: false, status_code: null, error: 'too-large' },
    })
    expect(await deliveriesOf(http)).toEqual([])
  })

  it('refuses to connect to a name that resolves to a private address', async () => {
    const http = webhooks.asExpert(office.expert)
    const { id } = await newWebhook(http, { url: 'https://localhost:1/x' })
    expect((await http.post(`/webhook/${id}/test`)).body).toEqual({
      WebhookTest: { delivered: false, status_code: null, error: 'refused' },
    })
  })
})

describe('DELETE /rest/webhook/{id}', () => {
  it('deletes its deliveries as well', async () => {
    const http = webhooks.asExpert(office.expert)
    const { id } = await newWebhook(http, { url: there.url })
    await webhooks.publishCase(office, newCase(webhooks))
    await untilReceived(there, 1)
    expect((await http.delete(`/webhook/${id}`)).body).toEqual({ status: 'OK' })
    expect(await deliveriesOf(http)).toEqual([])
    expect((await http.get(`/webhook/${id}`)).status).toBe(404)
  })
})

describe('who may', () => {
  const routes = [
    ...['GET', 'POST'].map((method) => [method, '/webhook']),
    ...['GET', 'PUT', 'DELETE'].map((method) => [method, '/webhook/:id']),
    ...['secret', 'test'].map((action) => ['POST', `/webhook/:id/${action}`]),
    ...[
      ['GET', '/webhook_delivery'],
      ['GET', '/webhook_delivery/:id'],
      ['POST', '/webhook_delivery/:id/replay'],
    ],
  ] as [string, string][]

  it.each(routes)('%s %s: administrators and experts with the right, and nobody else', async (method, path) => {
    const { id } = await newWebhook(webhooks.asExpert(office.expert), { url })
    const own = path.replace(':id', String(id))
    const sent = method === 'PUT' || method === 'POST' ? { Webhook: { url, events: ['*'] } } : undefined
    const status = async (http: ReturnType<Webhooks['asExpert']>) => (await http.request(method, own, sent)).status
    for (const role of ['specialist', 'trainee'] as const) expect(await status(webhooks.asExpert(office[role]))).toBe(403)
    expect(await status(webhooks.asExpert(testTechnical(webhooks.issuer)))).toBe(403)
    expect(await status(webhooks.asExpert(office.expert).as(undefined))).toBe(401)
    const without = office.employee('expert')
    expect(await status(webhooks.asExpert(without))).toBe(403)
  })

  it.each(routes.filter(([, path]) => path.includes(':id')))(
    '%s %s: the webhook of another office is the same 404',
    async (method, path) => {
      const { id } = await newWebhook(webhooks.asExpert(office.expert), { url: there.url })
      await webhooks.publishCase(office, newCase(webhooks))
      const [delivery] = await deliveriesOf(webhooks.asExpert(office.expert))
      const own = String(path.startsWith('/webhook/') ? id : delivery?.id)
      const stranger = webhooks.asExpert(webhooks.office().administrator)
      const sent = method === 'PUT' ? { Webhook: { url } } : undefined
      const foreign = await stranger.request(method, path.replace(':id', own), sent)
      const unknown = await stranger.request(method, path.replace(':id', String(randomId())), sent)
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    },
  )
})
