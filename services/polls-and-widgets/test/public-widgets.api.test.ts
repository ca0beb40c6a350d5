import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pollsAndWidgets } from '../src/wiring.js'

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
    expect([status, body]).toEqual([200, { ChatWidget: { external_hash, settings } }])
    expect(headers.get('cache-control')).toBe('max-age=60')
  })

  it('can be read by the pages of its own origin alone, whoever asks, so that caches tell no origins apart', async () => {
    const { external_hash } = await widget({ url: 'https://Shop.example:443' })
    for (const origin of ['https://shop.example', 'https://evil.example', 'null', undefined]) {
      const { headers } = await service.visitor.get(`/widgets/${external_hash}`, origin === undefined ? {} : { origin })
      expect(headers.get('access-control-allow-origin')).toBe('https://shop.example')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors https://shop.example")
      expect(headers.has('access-control-allow-credentials')).toBe(false)
    }
  })

  it('is the same 404 for every hash that no widget has', async () => {
    const { external_hash, id, http } = await widget({ url: 'https://shop.example' })
    await http.delete(`/chat_widget/${id}`)
    for (const hash of [external_hash, unknown, 'x', `${unknown}0`, '1']) {
      const { status, text, headers } = await service.visitor.get(`/widgets/${hash}`)
      expect([status, text]).toEqual([404, '{"status":"error","errorMessages":"Not found.","errorCode":"NOT_FOUND"}'])
      expect([headers.get('access-control-allow-origin'), headers.get('cache-control')]).toEqual([null, 'no-store'])
    }
  })
})
