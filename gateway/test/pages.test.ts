import { httpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { publicUrls, type Surrounded, startTestGateway } from './support/gateway.js'

let around: Surrounded
beforeAll(async () => {
  around = await startTestGateway({
    prepare({ auth }) {
      const head = { 'content-type': 'application/json', 'content-length': 11 }
      auth.on('/.well-known/jwks.json', (_, response) => response.writeHead(200, head).end('{"keys":[]}'))
    },
  })
})
afterAll(() => around.stop())

describe('/docs', () => {
  it.each(['/docs', '/docs/static/swagger-ui.css', '/docs/json'])('%s has the headers of a page', async (path) => {
    expect(Object.fromEntries((await around.anybody.get(path)).headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
  })

  it('shows the document of its address, from its own origin alone', async () => {
    for (const [audience, url] of Object.entries(around.gateway).filter(([, url]) => typeof url === 'string') as [string, string][]) {
      const http = httpClient(url)
      const page = await http.get('/docs')
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
      expect(assets).toContain('/docs/static/swagger-ui-bundle.js')
      for (const asset of assets) expect([asset, (await http.get(asset)).status]).toEqual([asset, 200])
      const document = await http.get('/docs/json')
      expect([document.status, document.headers.get('location')]).toEqual([302, '/rest/openapi.json'])
      const policy = page.headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/^default-src 'none'; script-src 'self';/)
      expect(policy).toContain(`connect-src 'self' ${audience === 'expertUrl' ? publicUrls.expert : publicUrls.client}`)
      expect(policy).not.toMatch(/unsafe|https?:\/\/(?!(?:expert|client)\.example\.test)|\*/)
      expect(page.text).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=/)
    }
  })
})

describe('the public paths', () => {
  it('are the same on both addresses', async () => {
    for (const url of [around.gateway.expertUrl, around.gateway.clientUrl]) {
      const http = httpClient(url)
      expect((await http.get('/.well-known/jwks.json')).body).toEqual({ keys: [] })
      expect((await http.get('/healthz')).body).toEqual({ status: 'OK' })
      expect((await http.get('/readyz')).body).toEqual({ status: 'OK' })
    }
  })
  it.each(['/.well-known/jwks.json', '/healthz', '/rest/openapi.json', '/docs', '/'])('answer HEAD with their length: %s', async (path) => {
    const { text } = await around.anybody.get(path)
    const { status, headers } = await around.anybody.request('HEAD', path)
    expect([status, headers.get('content-length')]).toEqual([200, String(Buffer.byteLength(text))])
  })
})
