import { serviceNames } from '@caseway/registry'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { rawRequest } from '../../gateway/test/support/raw.js'
import { type SignedIn, signInAs, signInAsAnybody } from '../support/people.js'
import { type Launcher, launch, temporaryHome } from '../support/platform.js'

const { home, remove } = temporaryHome()
let launcher: Launcher
let demo: Demo
let expert: SignedIn

beforeAll(async () => {
  launcher = launch(home)
  demo = await launcher.ready()
  expert = await signInAs(demo, 'expert')
})
afterAll(async () => {
  await launcher?.stop()
  remove()
})

it('creates, lists, changes and removes a tag', async () => {
  const { api } = expert
  const input = { name: 'Overdue', color_background: 'c62828', color_text: 'ffffff', issue: '1' }
  const { body, headers, status } = await api.post<{ id: number }>('/tag', { Tag: input })
  expect(status).toBe(201)
  const path = `/tag/${body.id}`
  expect(headers.get('location')).toBe(`${demo.base_url}/rest${path}`)

  const tag = { ...input, id: String(body.id), customer_id: demo.offices[0]?.customer_id, user_id: expert.id }
  const listed = await api.get<{ Tag: object }[]>('/tag?sort=-id&limit=1')
  expect(listed.body).toEqual([{ Tag: expect.objectContaining(tag) }])

  const changed = await api.put(path, { Tag: { name: 'Long overdue' } })
  expect({ status: changed.status, body: changed.body }).toEqual({ status: 200, body: { status: 'OK' } })
  expect((await api.get(path)).body).toEqual({ Tag: expect.objectContaining({ ...tag, name: 'Long overdue' }) })

  const removed = await api.delete(path)
  expect({ status: removed.status, body: removed.body }).toEqual({ status: 200, body: { status: 'OK' } })
  expect((await api.get(path)).status).toBe(404)
})

it('returns the configured URLs, whatever the `Host` header says', async () => {
  const elsewhere = ['host: evil.example', 'x-forwarded-host: evil.example', 'x-forwarded-proto: ftp', 'forwarded: host=evil.example']
  const ask = (address: string, token: string, request: string, body = '') => {
    const head = [...elsewhere, `authorization: Bearer ${token}`, `content-length: ${body.length}`, 'connection: close']
    const type = body && 'content-type: application/json\r\n'
    return rawRequest(address, `${request} HTTP/1.1\r\n${head.join('\r\n')}\r\n${type}\r\n${body}`)
  }
  const administrator = (await signInAs(demo, 'administrator')).token
  const client = await signInAsAnybody(demo, 'client')
  const office = demo.offices[0]?.customer_id
  for (const [address, token, path, body] of [
    [demo.base_url, administrator, '/rest/tag', { Tag: { name: 'Where?' } }],
    [demo.base_url, administrator, '/rest/user_role', { UserRole: { name: 'Where?' } }],
    [demo.client_base_url, client, '/rest/issue', { Issue: { subject: 'Where?', customer_id: office } }],
  ] as const) {
    const create = () => ask(address, token, `POST ${path}`, JSON.stringify(body))
    const [created] = [await create(), await create()]
    expect(created).toMatchObject({ status: 201, headers: { location: `${address}${path}/${JSON.parse(created.body).id}` } })
    const listed = await ask(address, token, `GET ${path}?limit=1`)
    expect(listed.headers.link?.startsWith(`<${address}${path}?`)).toBe(true)
    expect(JSON.stringify([created, listed])).not.toContain('evil')
  }
})

it('shows the time in the zone of the office', async () => {
  const zones = await Promise.all(
    demo.offices.map(async ({ time_zone }, office) => {
      const { api } = await signInAs(demo, 'expert', office)
      const { body } = await api.post<{ id: number }>('/tag', { Tag: { name: 'Now' } })
      const read = await api.get<{ Tag: { created: string } }>(`/tag/${body.id}`)
      const now = new Date().toLocaleString('sv-SE', { timeZone: time_zone })
      return { shown: read.body.Tag.created.slice(0, 13), now: now.slice(0, 13) }
    }),
  )
  for (const { shown, now } of zones) expect(shown).toBe(now)
  expect(new Set(zones.map(({ shown }) => shown)).size).toBe(2)
})

it('has its documents on both addresses', async () => {
  for (const address of [demo.base_url, demo.client_base_url]) {
    const document = await fetch(`${address}/rest/openapi.json`)
    expect(await document.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./) })
    expect((await fetch(`${address}/docs`)).status).toBe(200)
  }
  const metrics = await (await fetch(demo.metrics_url)).text()
  for (const service of [...serviceNames, 'gateway']) expect(metrics).toContain(`service="${service}"`)
})
