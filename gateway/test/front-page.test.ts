import { readdirSync } from 'node:fs'
import { httpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Surrounded, startTestGateway } from './support/gateway.js'
import { rawGet } from './support/raw.js'

let around: Surrounded
beforeAll(async () => {
  around = await startTestGateway({ env: { GATEWAY_PAGES_CLIENT_ID: 'the "front" page' } })
})
afterAll(() => around.stop())

const files = readdirSync(new URL('../src/front-page/page', import.meta.url), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => `${parentPath}/${name}`.replace(/^.*\/page\//, '/front-page/'))
const notFound = { status: 'error', errorMessages: 'Not found.', errorCode: 'NOT_FOUND' }

/** All assets that a page or a module refers to, transitively, with their status. */
async function assetsFrom(path: string, api = around.anybody, seen = new Map<string, number>()): Promise<Map<string, number>> {
  const { status, text } = await api.get(path)
  seen.set(path, status)
  const naming = path === '/' ? /(?:src|href)="([\w./-]+\.(?:js|css|svg))"/g : /\bfrom\s*['"]([\w./-]+)['"]/g
  const references = [...text.matchAll(naming)].map(([, found = '']) => found)
  for (const found of references) {
    const { pathname } = new URL(found, new URL(path, 'http://gateway.test'))
    if (!seen.has(pathname)) await assetsFrom(pathname, api, seen)
  }
  return seen
}

describe('the front page', () => {
  it('allows nothing from other origins, nothing inline and no frame', async () => {
    const { status, headers, text } = await around.anybody.get('/')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html",
    )
    expect(text).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=|https?:/)
  })

  it.each(['/', '/?a=b', '/front-page/main.js', '/front-page/settings.json', '/front-page/modules/lit-html/lit-html.js'])(
    '%s has the headers of a page',
    async (path) => {
      const { headers } = await around.anybody.get(path)
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': 'no-cache',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-request-id': expect.any(String),
      })
    },
  )

  it('has every asset that it refers to on each address, and no unused one', async () => {
    const clients = await assetsFrom('/', httpClient(around.gateway.clientUrl))
    const assets = new Map([...clients, ...(await assetsFrom('/'))])
    expect([...clients].filter(([, status]) => status !== 200)).toEqual([])
    expect([...assets].filter(([, status]) => status !== 200)).toEqual([])
    expect([...assets.keys()]).toEqual(expect.arrayContaining(files.filter((file) => !file.endsWith('.html'))))
    expect([...assets.keys()]).toContain('/front-page/modules/eventsource-parser/parse.js')
  })

  it('answers If-None-Match with 304', async () => {
    for (const path of ['/', '/front-page/main.js', '/front-page/modules/lit-html/lit-html.js']) {
      const etag = (await around.anybody.get(path)).headers.get('etag') ?? ''
      const again = await rawGet(around.gateway.expertUrl, path, { 'if-none-match': etag })
      expect([path, again.status, again.body]).toEqual([path, 304, ''])
    }
  })

  it('shows the client_id with which it signs in', async () => {
    expect((await around.anybody.get('/front-page/settings.json')).body).toEqual({ client_id: 'the "front" page' })
    expect((await around.anybody.get('/docs/static/swagger-initializer.js')).text).toContain('the \\"front\\" page')
  })

  it.each(['/', '/front-page/main.js'])('%s answers HEAD like GET', async (path) => {
    const get = await around.anybody.get(path)
    const head = await around.anybody.request('HEAD', path)
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of ['content-type', 'content-length', 'etag']) expect(head.headers.get(name)).toBe(get.headers.get(name))
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('refuses %s', async (method) => {
    const { status, headers, body } = await around.anybody.request<object>(method, '/')
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(body).toMatchObject({ errorCode: 'METHOD_NOT_ALLOWED' })
  })
})

describe('there is no front page', () => {
  const paths = ['/', '/front-page/main.js', '/front-page/settings.json', '/front-page/modules/lit-html/lit-html.js']

  it('where it is switched off', async () => {
    const other = await startTestGateway({ env: { GATEWAY_FRONT_PAGE: 'false' } })
    for (const method of ['GET', 'POST']) {
      for (const path of paths) {
        const { status, body } = await other.anybody.request(method, path)
        expect([method, path, status, body]).toEqual([method, path, 404, notFound])
      }
    }
    expect((await other.anybody.get('/docs')).status).toBe(200)
    await other.stop()
  })
})
