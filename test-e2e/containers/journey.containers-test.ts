import { randomUUID } from 'node:crypto'
import { createKafkaTransport } from '@caseway/kit/events'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { issueTopic } from '@caseway/protos/topics'
import { registry, serviceNames } from '@caseway/registry'
import { type EventStream, eventStream, eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { attachmentJourney } from '../support/attachment-journey.js'
import { caseJourney } from '../support/case-journey.js'
import { allCases, countersOf, recount } from '../support/cases.js'
import { newOffice } from '../support/new-office.js'
import { type SignedIn, signIn, signInAs } from '../support/people.js'
import { clientJourney, sessionJourney } from '../support/session-journey.js'
import { imagePromises } from './image-promises.js'
import { services } from './images.js'
import { type Platform, publicUrls, startPlatform } from './platform.js'
import { rolledCopies } from './rolled-copies.js'
import { engineOf } from './service-container.js'
import { createCases } from './writes.js'

const startTimeoutMs = 180_000

let platform: Platform

beforeAll(async () => {
  platform = await startPlatform()
}, startTimeoutMs)
afterAll(async () => {
  await platform?.stop()
}, startTimeoutMs)

const streamOf = ({ token }: SignedIn, lastEventId?: string) =>
  eventStream(`${platform.demo.base_url}/rest/event/stream`, token, { lastEventId })

imagePromises(() => platform)

describe('the image of mail', () => {
  it('parses a message in a thread of its own', async () => {
    const script = `
      const { Piscina } = require('piscina')
      const pool = new Piscina({ filename: require.resolve('./dist/bundled/parsing-worker.client.js'), maxThreads: 1 })
      const source = Buffer.from('Subject: Minutes\\r\\n\\r\\nText')
      pool.run({ source }).then(({ subject }) => console.log(subject), console.log).finally(() => process.exit())`
    expect((await platform.services.mail.exec(['node', '-e', script])).output.trim()).toBe('Minutes')
  })
})

describe('the image of the command line', () => {
  it('creates an office, whose administrator signs in', async () => {
    const administrator = await newOffice(platform.caseway, 'Nowak and Partners', 'anna@nowak.example')
    const { base_url, client_id } = platform.demo
    expect(await signIn(base_url, client_id, administrator)).toMatchObject({ token: expect.any(String) })
  })
})

describe('the migration job', () => {
  it('may run again, and changes nothing', async () => {
    await Promise.all(serviceNames.map((name) => platform.migrate(name)))
  })
})

describe('a session', () => {
  sessionJourney(() => platform.demo)

  it('ends with a new password, which the gateway learns over Kafka', async () => {
    const account = platform.demo.offices[0]?.accounts.specialist
    const { id, api } = await signInAs(platform.demo, 'specialist')
    expect((await api.get('/counter')).status).toBe(200)
    await platform.administration.setPassword({ kind: 'employee', id: BigInt(id) }, account?.password ?? '')
    await eventually(async () => expect((await api.get('/counter')).status).toBe(401))
  })
})

describe('a client', () => clientJourney(() => platform.demo))

describe('the way of files', () => {
  attachmentJourney(() => platform.demo)
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

rolledCopies(() => platform)

describe('a container that is killed', () => {
  const count = 120
  const killAt = 40

  it('comes back with everything that it has acknowledged: cases, counters, events, and resumed streams', async () => {
    const expert = await signInAs(platform.demo, 'expert')
    const before = await allCases(expert.api)
    const first = await streamOf(expert)
    const container = await engineOf(platform.services[registry.casesAndCounters.name])

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

  /** The ids without an event in Kafka. */
  async function openedInKafka(ids: readonly string[]): Promise<string[]> {
    const transport = createKafkaTransport({
      ...platform.events,
      clientId: 'test',
      log: createLog({ service: 'test', level: 'silent' }),
      metrics: createMetrics('test'),
    })
    const published = new Set<string>()
    await transport.subscribe({
      group: randomUUID(),
      topics: [issueTopic.name],
      async handle({ payload }) {
        const { issueId, change } = issueTopic.message.decode(payload)
        if (change?.$case === 'opened') published.add(String(issueId))
      },
    })
    const missing = () => ids.filter((id) => !published.has(id))
    await eventually(() => expect(missing()).toEqual([]), { timeoutMs: 20_000 }).catch(() => undefined)
    await transport.stop()
    return missing()
  }
})

describe('a stop', () => {
  it.each(services.toReversed())('of %s reaches the process, which ends by itself', async (service) => {
    const container = await engineOf(platform.services[service])
    const startedAt = performance.now()
    await container.stop({ t: 30 })
    const { State } = await container.inspect()
    expect({ code: State.ExitCode, killed: State.OOMKilled }).toEqual({ code: 0, killed: false })
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  })
})
