import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { registry } from '@caseway/registry'
import { type TraceReceiver, traceReceiver } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { type SignedIn, signInAs } from './support/people.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'
import { gone, stepOf, wayOfAChangedUser, wayOfAnUnknownUser } from './support/traces.js'

const { home, remove } = temporaryHome()
const noted = join(home, 'loaded')
const watched = { NODE_OPTIONS: `--import=${new URL('support/loaded-modules.mjs', import.meta.url).href}`, LOADED_MODULES: noted }
const loaded = () => {
  const packages = existsSync(noted) ? readFileSync(noted, 'utf8').trim().split('\n') : []
  return new Set(packages.filter((name) => name.startsWith('@opentelemetry/')))
}

let receiver: TraceReceiver
beforeAll(async () => {
  receiver = await traceReceiver()
})
afterAll(async () => {
  await receiver.stop()
  remove()
})

describe('without an endpoint', () => {
  it('nothing of OpenTelemetry is loaded', async () => {
    const launcher = launch(home, watched)
    const expert = await signInAs(await launcher.ready(), 'expert')
    expect((await expert.api.post('/tag', { Tag: { name: 'Untraced' } })).status).toBe(201)
    await launcher.stop()
    // prom-client loads the API package, which does nothing without the SDK.
    expect(loaded()).toEqual(new Set(['@opentelemetry/api']))
  })
})

describe('a trace', () => {
  let launcher: Launcher
  let demo: Demo
  let admin: SignedIn
  beforeAll(async () => {
    launcher = launch(home, { ...watched, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '100' })
    demo = await launcher.ready()
    admin = await signInAs(demo, 'administrator')
  })
  afterAll(() => launcher?.stop())

  it('connects the gateway, the outbox, and the copy of another service', async () => {
    expect(loaded()).toContain('@opentelemetry/sdk-trace')
    const trainee = demo.offices[0]?.accounts.trainee.user_id
    expect((await admin.api.put(`/user/${trainee}`, { User: { lastname: 'Canarywoman' } })).status).toBe(200)
    await gone(receiver, wayOfAChangedUser)
  })

  it('connects gRPC with the database of another service', async () => {
    expect((await admin.api.post('/tag', { Tag: { name: 'Whose?', user_id: '9007199254740991' } })).status).toBe(400)
    await gone(receiver, wayOfAnUnknownUser)
  })

  it('begins at the gateway, whatever traceparent a caller sends', async () => {
    const stranger = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
    const traceparent = `00-${stranger.traceId}-${stranger.spanId}-00`
    expect((await admin.api.get('/tag?name=Canaryquery', { traceparent, baggage: 'a=Canarybaggage' })).status).toBe(400)
    const [beginning] = await gone(receiver, [
      'gateway server GET /rest/tag',
      'gateway client GET',
      `${registry.casesAndCounters.name} server GET /expert/rest/tag`,
    ])
    expect(beginning).toMatchObject({ parentId: '', links: [stranger] })
    expect(receiver.spans.filter(({ traceId }) => traceId === stranger.traceId)).toEqual([])
  })

  it('is exported completely when the platform stops', async () => {
    expect((await admin.api.get('/counter')).status).toBe(200)
    await launcher.stop()
    const names = receiver.spans.map(stepOf)
    expect(names).toEqual(
      expect.arrayContaining(['gateway server GET /rest/counter', `${registry.casesAndCounters.name} server GET /expert/rest/counter`]),
    )
  })

  it('has names and codes by the conventions, and no personal data', () => {
    const { offices, client_id } = demo
    const passwords = offices.flatMap(({ accounts }) => Object.values(accounts).flatMap(({ username, password }) => [username, password]))
    const spanTexts = receiver.spans.map(({ text }) => text).join('\n')
    for (const secret of [...passwords, admin.token, client_id, 'Canary', 'Whose?']) expect(spanTexts).not.toContain(secret)
    const known = new Set<unknown>(Object.values(conventions))
    const names = new Set(receiver.spans.flatMap(({ attributes }) => Object.keys(attributes)))
    expect([...names].filter((name) => !known.has(name))).toEqual([])
  })
})
