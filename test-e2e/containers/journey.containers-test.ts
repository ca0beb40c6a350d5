import { randomUUID } from 'node:crypto'
import { issueTopic } from '@caseway/cases-and-counters/events'
import { createKafkaTransport } from '@caseway/kit/events'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { type EventStream, eventStream, eventually, type HttpClient, httpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { caseJourney } from '../support/case-journey.js'
import { allCases, countersOf, recount } from '../support/cases.js'
import { type SignedIn, signIn, signInAs } from '../support/people.js'
import { imagePromises } from './image-promises.js'
import { services } from './images.js'
import { type Platform, publicUrls, startPlatform } from './platform.js'
import { engineOf } from './service-container.js'
import { createCases } from './writes.js'

interface Tokens {
  access_token: string
  refresh_token: string | null
  user_id: string
}

const startTimeoutMs = 180_000

let platform: Platform
let experts: HttpClient
let clients: HttpClient

beforeAll(async () => {
  platform = await startPlatform()
  experts = httpClient(`${platform.demo.base_url}/rest`)
  clients = httpClient(`${platform.demo.client_base_url}/rest`)
}, startTimeoutMs)
afterAll(async () => {
  await platform?.stop()
}, startTimeoutMs)

const streamOf = ({ token }: SignedIn, lastEventId?: string) =>
  eventStream(`${platform.demo.base_url}/rest/event/stream`, token, { lastEventId })

imagePromises(() => platform)

describe('the migration job', () => {
  it('may run again, and finds its work done', async () => {
    await Promise.all([platform.migrate('auth'), platform.migrate('cases-and-counters')])
  })
})

describe('a session', () => {
  it('begins with a password, goes on with refresh tokens, and ends with the sign-out', async () => {
    const { client_id, offices } = platform.demo
    const account = offices[0]?.accounts.specialist
    const password = { grant_type: 'password', client_id, username: account?.username, password: account?.password }
    const first = await experts.post<Tokens>('/token', password)
    expect(first.status).toBe(200)
    expect(first.body.user_id).toBe(account?.user_id)

    const next = { grant_type: 'refresh_token', client_id, refresh_token: first.body.refresh_token }
    const second = await experts.post<Tokens>('/token', next)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).not.toBe(first.body.refresh_token)
    const api = experts.as(second.body.access_token)
    expect((await api.get('/counter')).status).toBe(200)

    expect((await api.delete('/token')).status).toBe(200)
    await eventually(async () => expect((await api.get('/counter')).status).toBe(401))
    const after = await experts.post('/token', { ...next, refresh_token: second.body.refresh_token })
    expect(after.body).toMatchObject({ error: 'invalid_grant' })
  })

  it('of an external platform is one of an application', async () => {
    const application = platform.demo.offices[0]?.technical
    const { status, body } = await experts.post<Tokens>('/token', { grant_type: 'client_credentials', ...application })
    expect(status).toBe(200)
    expect(body.refresh_token).toBeNull()
    const api = experts.as(body.access_token)
    // It is known, and no employee.
    expect((await api.get('/tag')).status).toBe(403)
    expect((await api.delete('/token')).status).toBe(200)
  })

  it('ends with a new password, of which the gateway hears over Kafka', async () => {
    const account = platform.demo.offices[0]?.accounts.specialist
    const { id, api } = await signInAs(platform.demo, 'specialist')
    expect((await api.get('/counter')).status).toBe(200)
    await platform.administration.setPassword('expert', BigInt(id), account?.password ?? '')
    await eventually(async () => expect((await api.get('/counter')).status).toBe(401))
  })
})

describe('a client', () => {
  it('of two offices opens a case at each, and has nothing to say on the address of the experts', async () => {
    const [both] = platform.demo.clients
    if (!both) throw new Error('The demo has no clients.')
    const { api, token } = await signIn(platform.demo.client_base_url, platform.demo.client_id, both)
    const made = await Promise.all(
      both.customer_ids.map(async (customer_id) => {
        const { status, body } = await api.post<{ id: number }>('/issue', { Issue: { customer_id, subject: 'May I ask something?' } })
        expect(status).toBe(201)
        return String(body.id)
      }),
    )
    const { body } = await api.get<{ Issue: { id: string } }[]>('/issue')
    expect(body.map(({ Issue }) => Issue.id)).toEqual(expect.arrayContaining(made))
    expect((await experts.as(token).get('/issue')).status).toBe(401)
    const expert = await signInAs(platform.demo, 'expert')
    expect((await clients.as(expert.token).get('/issue')).status).toBe(401)
  })
})

describe('a tag', () => {
  it('is created, listed, changed and removed', async () => {
    const { id, api } = await signInAs(platform.demo, 'expert')
    const input = { name: 'Overdue', color_background: 'c62828', color_text: 'ffffff', issue: '1' }
    const { body, headers, status } = await api.post<{ id: number }>('/tag', { Tag: input })
    expect(status).toBe(201)
    const path = `/tag/${body.id}`
    expect(headers.get('location')).toBe(`${publicUrls.EXPERT_URL}/rest${path}`)

    const tag = { ...input, id: String(body.id), customer_id: platform.demo.offices[0]?.customer_id, user_id: id }
    const listed = await api.get<{ Tag: object }[]>('/tag?sort=-id&limit=1')
    expect(listed.body).toEqual([{ Tag: expect.objectContaining(tag) }])
    expect((await api.put(path, { Tag: { name: 'Long overdue' } })).text).toBe('{"status":"OK"}')
    expect((await api.get(path)).body).toEqual({ Tag: expect.objectContaining({ ...tag, name: 'Long overdue' }) })
    expect((await api.delete(path)).text).toBe('{"status":"OK"}')
    expect((await api.get(path)).status).toBe(404)
  })
})

describe('the documents', () => {
  it('are on both addresses', async () => {
    for (const address of [platform.demo.base_url, platform.demo.client_base_url]) {
      const document = await fetch(`${address}/rest/openapi.json`)
      expect(await document.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./) })
      expect((await fetch(`${address}/docs`)).status).toBe(200)
    }
    expect(await (await fetch(platform.demo.metrics_url)).text()).toContain('service="gateway"')
  })
})

describe('the way of a case', () => {
  let expert: SignedIn
  let trainee: SignedIn
  let stream: EventStream

  beforeAll(async () => {
    expert = await signInAs(platform.demo, 'expert')
    trainee = await signInAs(platform.demo, 'trainee')
    stream = await streamOf(trainee)
  })
  afterAll(() => stream?.close())

  const path = caseJourney(() => ({ expert, trainee, stream, address: publicUrls.EXPERT_URL }))

  it("is another office's 404", async () => {
    const stranger = await signInAs(platform.demo, 'administrator', 1)
    const foreign = await stranger.api.get(path())
    const missing = await stranger.api.get('/issue/9007199254740991')
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe(missing.text)
  })
})

describe('a container that is killed', () => {
  const count = 120
  const killAt = 40

  it('comes back with everything that it had acknowledged: cases, counters, events, and the streams that resume', async () => {
    const expert = await signInAs(platform.demo, 'expert')
    const before = await allCases(expert.api)
    const first = await streamOf(expert)
    const container = await engineOf(platform.services['cases-and-counters'])

    let restarted: Promise<unknown> | undefined
    const killAndStart = () => container.kill({ signal: 'SIGKILL' }).then(() => container.start())
    const ids = await createCases(expert.api, count, {
      writers: 4,
      onEach: (done) => {
        if (done === killAt) restarted = killAndStart()
      },
    })
    await restarted
    await first.ended
    const second = await streamOf(expert, first.events.findLast(({ id }) => id !== undefined)?.id)

    expect(new Set(ids).size).toBe(count)
    const cases = await allCases(expert.api)
    expect(cases).toHaveLength(before.length + count)
    expect(cases.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
    expect(await countersOf(expert.api)).toEqual(recount(cases, expert.id))

    await eventually(() => {
      const shown = [...first.events, ...second.events].filter(({ event }) => event === 'issue').map(({ data }) => data)
      for (const id of ids) expect(shown.some((data) => data.includes(`"${id}"`))).toBe(true)
    })
    await second.close()
    expect(await openedInKafka(ids)).toEqual([])
  })

  /** Those of the ids of which no event tells in the end. */
  async function openedInKafka(ids: readonly string[]): Promise<string[]> {
    const transport = createKafkaTransport({
      brokers: platform.brokers,
      clientId: 'test',
      log: createLog({ service: 'test', level: 'silent' }),
      metrics: createMetrics('test'),
      onCrash: () => undefined,
    })
    const told = new Set<string>()
    await transport.subscribe({
      group: randomUUID(),
      topics: [issueTopic.name],
      async handle({ payload }) {
        const { issueId, change } = issueTopic.message.decode(payload)
        if (change?.$case === 'opened') told.add(String(issueId))
      },
    })
    const missing = () => ids.filter((id) => !told.has(id))
    await eventually(() => expect(missing()).toEqual([]), { timeoutMs: 20_000 }).catch(() => undefined)
    await transport.stop()
    return missing()
  }
})

describe('a stop', () => {
  it.each(services.toReversed())('of %s reaches it, and it ends by itself', async (service) => {
    const container = await engineOf(platform.services[service])
    const startedAt = performance.now()
    await container.stop({ t: 30 })
    const { State } = await container.inspect()
    expect({ code: State.ExitCode, killed: State.OOMKilled }).toEqual({ code: 0, killed: false })
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  })
})
