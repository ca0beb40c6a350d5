import { serviceNames } from '@caseway/registry'
import { eventStream, eventually, httpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../deploy/local/src/demo/demo-file.js'
import { alerts, metricsOf, panels, recorded, triedAlerts } from './support/dashboard.js'
import { type Exposition, type Series, scrape } from './support/exposition.js'
import { signIn, signInAs } from './support/people.js'
import { type Launcher, launch, temporaryHome } from './support/platform.js'

const { home, remove } = temporaryHome()
let launcher: Launcher
let demo: Demo
let operations: Operation[]
let seen: Exposition

beforeAll(async () => {
  launcher = launch(home)
  demo = await launcher.ready()
  operations = [...(await documented('expert')), ...(await documented('client'))]
  for (const operation of operations) await call(operation)
  // A request is counted a moment after its answer was read.
  await eventually(async () => {
    seen = await scrape(demo.metrics_url)
    const routes = new Set(seen.series.map(({ labels }) => labels.route))
    expect(operations.filter((operation) => !routes.has(routeOf(operation)))).toEqual([])
  })
}, 60_000)
afterAll(async () => {
  await launcher?.stop()
  remove()
})

interface Operation {
  address: 'expert' | 'client'
  method: string
  path: string
}

/** The route label that the service uses. */
const routeOf = ({ address, path }: Operation) => `/${address}${path.replace(/\{(\w+)\}/g, ':$1')}`

const urlOf = (address: Operation['address']) => (address === 'expert' ? demo.base_url : demo.client_base_url)

async function documented(address: Operation['address']): Promise<Operation[]> {
  const { body } = await httpClient(`${urlOf(address)}/rest`).get<{ paths: Record<string, object> }>('/openapi.json')
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ address, method: method.toUpperCase(), path })),
  )
}

/** Calls an operation in a session of its own, because one operation ends the session, and one does not end by itself. */
async function call({ address, method, path }: Operation): Promise<void> {
  const [client] = demo.clients
  if (!client) throw new Error('The demo has no clients.')
  const { token } =
    address === 'expert' ? await signInAs(demo, 'administrator') : await signIn(demo.client_base_url, demo.client_id, client)
  const url = `${urlOf(address)}${path.replace(/\{\w+\}/g, '9007199254740991')}`
  const api = httpClient('', token)
  if (!path.endsWith('/event/stream')) return void (await api.request(method, url, ['POST', 'PUT'].includes(method) ? {} : undefined))
  const stream = await eventStream(url, token)
  await api.delete(`${urlOf(address)}/rest/token`)
  await stream.ended
}

const services = ['gateway', ...serviceNames]
const limit = 2000
/** The classes of statuses. */
const statuses = ['2xx', '3xx', '4xx', '5xx']
const codes = ['OK', 'INVALID_ARGUMENT', 'NOT_FOUND', 'INTERNAL', 'UNAVAILABLE', 'DEADLINE_EXCEEDED']
/** The default of `topics create`. */
const partitions = 12

/** The distinct combinations of some labels. */
const distinct = (series: readonly Series[], ...names: string[]) =>
  new Set(series.map(({ labels }) => names.map((name) => labels[name]).join(' '))).size

/** The number of series of a service if each of its routes and calls had ended in every possible way, over Kafka. */
function worstCase(service: string): number {
  const own = seen.series.filter(({ labels }) => labels.service === service)
  const named = (name: string) => own.filter((series) => series.name === name)
  const several = ['http_requests_total', 'grpc_server_calls_total', 'consumer_lag_events']
  const rest = own.filter(({ name }) => !several.includes(name))
  const routes = distinct(named('http_request_duration_seconds_count'), 'route', 'method')
  const calls = distinct(named('grpc_server_duration_seconds_count'), 'method')
  const topics = distinct(named('consumer_tries_total'), 'topic')
  return rest.length + routes * statuses.length + calls * codes.length + topics * partitions
}

describe('the series of a service', () => {
  it.each(services)('of %s stay under 2,000 in the worst case', (service) => {
    const count = worstCase(service)
    expect(operations.length).toBeGreaterThan(40)
    expect(count).toBeGreaterThan(100)
    expect(count).toBeLessThan(limit)
  })

  it('of the process are few beside them', () => {
    expect(seen.series.filter(({ labels }) => labels.service === undefined).length).toBeLessThan(200)
  })

  it('have no label that Prometheus itself sets', () => {
    const labels = new Set(seen.series.flatMap((one) => Object.keys(one.labels)))
    expect(['job', 'instance', 'namespace', 'pod', 'container', 'endpoint'].filter((label) => labels.has(label))).toEqual([])
  })

  it('have no label that a caller wrote', async () => {
    const marker = 'written-by-a-caller'
    const nobody = httpClient(demo.base_url, marker)
    for (const path of [`/${marker}`, `/rest/${marker}`, `/rest/tag/${marker}`, `/rest/tag?${marker}=1`]) await nobody.get(path)
    await nobody.request('PROPFIND', `/rest/${marker}`)
    await nobody.post('/rest/token', { grant_type: marker, client_id: marker })
    const { series } = await scrape(demo.metrics_url)
    expect(JSON.stringify(series)).not.toContain(marker)
    expect(series).toContainEqual(expect.objectContaining({ labels: expect.objectContaining({ method: 'other' }) }))
  })

  it('do not exist for a broker where there is none', () => {
    expect(seen.names).toContain('consumer_last_poll_timestamp_seconds')
    expect(seen.series.filter(({ name }) => name === 'consumer_last_poll_timestamp_seconds')).toEqual([])
  })

  it('show the check of counters, and find nothing', async () => {
    await eventually(async () => {
      const { series } = await scrape(demo.metrics_url)
      expect(series.filter(({ name }) => name === 'counter_drift').map(({ labels }) => labels.counter)).toHaveLength(4)
    })
  })
})

/** Metrics that Prometheus itself records for its targets. */
const ofPrometheus = ['up']

describe('alerts, rules and dashboard', () => {
  const known = () => new Set([...seen.names, ...ofPrometheus])

  it('use existing metrics, in every alert', () => {
    for (const { alert, expr } of alerts()) {
      expect({ alert, metrics: metricsOf(expr).length }).not.toEqual({ alert, metrics: 0 })
      for (const name of metricsOf(expr)) expect(known()).toContain(name)
    }
  })

  it('use existing metrics, in every recording rule', () => {
    expect(recorded().length).toBeGreaterThan(0)
    for (const { record, expr } of recorded()) {
      expect({ record, metrics: metricsOf(expr).length }).not.toEqual({ record, metrics: 0 })
      for (const name of metricsOf(expr)) expect(known()).toContain(name)
    }
  })

  it('use existing metrics, in every panel', () => {
    expect(panels().length).toBeGreaterThan(20)
    for (const { title, targets = [] } of panels()) {
      const queried = targets.flatMap(({ expr }) => metricsOf(expr))
      expect({ title, metrics: queried.length }).not.toEqual({ title, metrics: 0 })
      for (const name of queried) expect(known()).toContain(name)
    }
  })

  it('show every metric that our own code exports', () => {
    const read = new Set(
      [...alerts().map(({ expr }) => expr), ...panels().flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))].flatMap(metricsOf),
    )
    const ours = new Set(
      seen.series.filter(({ labels }) => labels.service !== undefined).map(({ name }) => name.replace(/_(bucket|sum|count)$/, '')),
    )
    for (const name of ours) expect([...read].some((metric) => metric.startsWith(name))).toBe(true)
  })

  it('have a severity, a description, a runbook and a test for every alert', () => {
    for (const { alert, labels, annotations } of alerts()) {
      expect(['warning', 'critical']).toContain(labels.severity)
      expect(Object.keys(annotations)).toEqual(['summary', 'description', 'runbook'])
      expect(triedAlerts()).toContain(alert)
    }
  })
})
