import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pollsAndWidgets } from '../src/wiring.js'
import { publishPoll } from './support/polls.js'

let service: TestService
beforeAll(async () => {
  service = await testService(pollsAndWidgets)
})
afterAll(() => service.stop())

const unknown = '00000000-0000-4000-8000-000000000000'

async function widget(fields: { url: string; settings?: string }) {
  const http = service.asExpert(service.office().expert)
  const { body } = await http.post<{ id: number; external_hash: string }>('/chat_widget', { ChatWidget: fields })
  return { ...body, http }
}

describe('GET /widgets/{external_hash}', () => {
  it('answers what the page that embeds the widget needs, and nothing else', async () => {
    const settings = '{"color": "#fff"}'
    const { external_hash } = await widget({ url: 'https://shop.example', settings })
    const { status, body, headers } = await service.visitor.get(`/widgets/${external_hash}`)
    expect([status, body]).toEqual([200, { ChatWidget: { external_hash, settings, polls: [] } }])
    expect(headers.get('cache-control')).toBe('max-age=60')
  })

  it('names the poll of the widget while it is open', async () => {
    const { id, external_hash, http } = await widget({ url: 'https://shop.example' })
    const polls = async () =>
      (await service.visitor.get<{ ChatWidget: { polls: string[] } }>(`/widgets/${external_hash}`)).body.ChatWidget.polls
    const poll = await publishPoll(http, { chat_widget_id: id })
    expect(await polls()).toEqual([external_hash])
    await service.database.rows("UPDATE polls SET closes_at = now() - interval '1 second' WHERE id = $1", [poll])
    expect(await polls()).toEqual([])
  })

  it('allows only its own origin, independently of the request, so that caches need no variants', async () => {
    const { external_hash } = await widget({ url: 'https://Shop.example:443' })
    for (const origin of ['https://shop.example', 'https://evil.example', 'null', undefined]) {
      const { headers } = await service.visitor.get(`/widgets/${external_hash}`, origin === undefined ? {} : { origin })
      expect(headers.get('access-control-allow-origin')).toBe('https://shop.example')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors https://shop.example")
      expect(headers.has('access-control-allow-credentials')).toBe(false)
    }
  })

  it('is the same 404 for every unknown or invalid hash', async () => {
    const { external_hash, id, http } = await widget({ url: 'https://shop.example' })
    await http.delete(`/chat_widget/${id}`)
    for (const hash of [external_hash, unknown, 'x', '%00', `${unknown}0`, '1']) {
      const { status, text, headers } = await service.visitor.get(`/widgets/${hash}`)
      expect([status, text]).toEqual([404, '{"status":"error","errorMessages":"Not found.","errorCode":"NOT_FOUND"}'])
      expect([headers.get('access-control-allow-origin'), headers.get('cache-control')]).toEqual([null, 'no-store'])
    }
  })
})

describe('OPTIONS /poll_answers/save', () => {
  const preflight = async (origin: string) => {
    const request = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
    const { status, text, headers } = await service.visitor.request('OPTIONS', '/poll_answers/save', undefined, request)
    expect([status, text, headers.get('vary'), headers.has('access-control-allow-credentials')]).toEqual([204, '', 'Origin', false])
    return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
  }

  it('allows JSON from the origins of widgets, and from no others', async () => {
    await widget({ url: 'https://office.example:8443' })
    expect(await preflight('https://office.example:8443')).toEqual({
      'access-control-allow-origin': 'https://office.example:8443',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type',
      'access-control-max-age': '600',
    })
    for (const origin of ['https://office.example', 'null', '*', '%', 'https://OFFICE.example:8443'])
      expect(await preflight(origin)).toEqual({})
  })
})

describe('GET /widgets/{external_hash}/widget.js', () => {
  it('is a small script that may be cached for a day', async () => {
    const { status, text, headers } = await service.visitor.get(`/widgets/${unknown}/widget.js`)
    expect(status).toBe(200)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_240)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=86400',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const again = await service.visitor.get(`/widgets/${unknown}/widget.js`, { 'if-none-match': headers.get('etag') ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it('evaluates no text as HTML or as code, and sets no cookie', async () => {
    const { text } = await service.visitor.get(`/widgets/${unknown}/widget.js`)
    expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|\beval\b|\bFunction\(|document\.write|cookie|localStorage/)
  })
})
