import { setTimeout as pause } from 'node:timers/promises'
import { registry } from '@caseway/registry'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { parseAllDocuments } from 'yaml'
import { services } from '../containers/images.js'
import { requestCountScript, underLoad } from '../support/load.js'
import { type Cluster, isReady, restartsOf } from './cluster.js'
import { type Installation, install } from './installation.js'
import { copies, namespace, writeBrokenOverlay } from './overlay.js'
import { startPostgres, stopPostgres, storesNamespace } from './stores.js'

const installTimeoutMs = 1_200_000
const perSecond = Number(process.env.KUBERNETES_REQUESTS_PER_SECOND ?? 200)
const cases = registry.casesAndCounters.name

let installation: Installation
let cluster: Cluster

beforeAll(async () => {
  installation = await install()
  cluster = installation.cluster
}, installTimeoutMs)
afterAll(() => installation?.remove(), installTimeoutMs)
beforeEach(() => Promise.all(services.map((name) => cluster.rolledOut(name))))

/** Checks that no request fails during `work`, and for at least `leastSeconds`. */
async function noneFails(leastSeconds: number, work: () => Promise<unknown>): Promise<void> {
  const load = { perSecond, rampMs: 15_000, least: perSecond * leastSeconds }
  expect(await underLoad(await installation.people(), load, work)).toEqual([])
}

const podsOfServices = async () => (await Promise.all(services.map((name) => cluster.podsOf(name)))).flat()

/** The warning about the tag in the name of a Job (deploy/kubernetes/README.md). */
const dotInName = 'a DNS label is recommended: [must not contain dots]'

describe('the manifests', () => {
  it.each(['production', 'single-node'])('of the overlay %s are accepted by the server, without a warning', async (overlay) => {
    const objects = await cluster.kubectl('kustomize', `deploy/kubernetes/overlays/${overlay}`)
    const documents = parseAllDocuments(objects).map((one) => one.toJS() as { kind: string; metadata: { namespace?: string } })
    // The namespace of the overlay may not exist, so the objects are validated in that of the tests.
    const here = documents.filter(({ kind }) => kind !== 'Namespace')
    for (const { metadata } of here) if (metadata.namespace) metadata.namespace = namespace
    const text = here.map((one) => JSON.stringify(one)).join('\n---\n')
    const { stderr } = await cluster.kubectlWith(text, 'apply', '--dry-run=server', '--validate=strict')
    expect(stderr.split('\n').filter((line) => line !== '' && !line.includes(dotInName))).toEqual([])
  })
})

describe('a rollout', () => {
  it('of each program, one after the other, fails no request', async () => {
    await noneFails(100, async () => {
      for (const name of services) await cluster.restart(name)
    })
  })

  it('to an image that does not exist stops, and the old version serves', async () => {
    await noneFails(40, async () => {
      await cluster.kubectl('set', 'image', `deployment/${cases}`, `${cases}=caseway/${cases}:none`)
      await expect(cluster.rolledOut(cases, '20s')).rejects.toThrow('timed out')
      expect((await cluster.podsOf(cases)).filter(isReady)).toHaveLength(copies)
      await cluster.kubectl('rollout', 'undo', `deployment/${cases}`)
      await cluster.rolledOut(cases)
    })
  })

  it('whose migration fails does not happen', async () => {
    const service = registry.pollsAndWidgets.name
    await noneFails(40, async () => {
      const { items } = await cluster.json<{ items: { metadata: { name: string } }[] }>(
        ...['get', 'jobs', '--selector', `app.kubernetes.io/name=${service}`],
      )
      const job = items[0]?.metadata.name as string
      await cluster.kubectl('create', 'configmap', 'broken-migration', '--from-literal=migration.sql=SELECT 1 / 0')
      const patched = await cluster.kubectl('kustomize', writeBrokenOverlay(installation.overlay, service, 'broken-migration'))
      await cluster.kubectl('delete', 'job', job)
      await cluster.kubectlWith(patched, 'apply', '--selector', `app.kubernetes.io/name=${service}`)
      await expect(cluster.rolledOut(service, '30s')).rejects.toThrow('timed out')
      const pods = await cluster.podsOf(service)
      expect(pods.filter(isReady)).toHaveLength(copies)
      expect(pods.filter((pod) => !isReady(pod))).toHaveLength(1)
      expect(await cluster.kubectl('logs', `job/${job}`)).toContain('division by zero')
      await cluster.kubectl('rollout', 'undo', `deployment/${service}`)
      await cluster.rolledOut(service)
    })
  })
})

describe('copies', () => {
  it('of one, three and one again fail no request, and each of them gets work', async () => {
    const scale = async (count: number) => {
      const patch = JSON.stringify({ spec: { minReplicas: count, maxReplicas: count } })
      await cluster.kubectl('patch', 'hpa', cases, '--patch', patch)
      await eventually(async () => expect((await cluster.podsOf(cases)).filter(isReady)).toHaveLength(count), { timeoutMs: 120_000 })
    }
    await noneFails(100, async () => {
      await scale(1)
      await scale(3)
      const before = await requestsOfCopies()
      await pause(30_000)
      for (const [pod, count] of await requestsOfCopies()) expect(count - (before.get(pod) ?? 0)).toBeGreaterThan(100)
      await scale(1)
      await scale(copies)
    })
  })

  async function requestsOfCopies(): Promise<Map<string, number>> {
    const pods = await cluster.podsOf(cases)
    const counts = pods.map(async ({ metadata: { name } }) => [name, Number(await cluster.node(name, requestCountScript))] as const)
    return new Map(await Promise.all(counts))
  }
})

describe('a rollout of all programs at once', () => {
  it('fails no request', async () => {
    await noneFails(100, () => Promise.all(services.map((name) => cluster.restart(name))))
  })
})

describe('a node', () => {
  it('is drained without a failed request, one copy of each program at a time', async () => {
    const [, drained] = installation.nodes as [string, string]
    await noneFails(100, async () => {
      let done = false
      const draining = cluster
        .kubectl('drain', drained, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=10m')
        .finally(() => (done = true))
      const without: string[] = []
      while (!done) {
        const { items } = await cluster.json<Deployments>('get', 'deployments', '--selector', 'app.kubernetes.io/component=server')
        without.push(...items.filter(({ status }) => !status.availableReplicas).map(({ metadata }) => metadata.name))
        await pause(1_000)
      }
      await draining
      expect(without).toEqual([])
      expect((await podsOfServices()).filter(({ spec }) => spec.nodeName === drained)).toEqual([])
    }).finally(() => cluster.kubectl('uncordon', drained))
  })
})

interface Deployments {
  items: { metadata: { name: string }; status: { availableReplicas?: number } }[]
}

describe('without its database', () => {
  const service = registry.auth.name
  /** Longer than six failed checks of a liveness probe take. */
  const awayMs = 75_000

  it('no pod is killed, a new one waits, and all go on when it is back', async () => {
    const before = (await podsOfServices()).map(restartsOf)
    await cluster.kubectl('--namespace', storesNamespace, 'exec', 'postgres', '--', 'bash', '-c', stopPostgres)
    const [pod] = await cluster.podsOf(service)
    await cluster.kubectl('delete', 'pod', pod?.metadata.name as string, '--wait=false')
    await pause(awayMs)
    const waiting = (await cluster.podsOf(service)).filter((one) => !isReady(one))
    expect(waiting).toHaveLength(1)
    expect((await podsOfServices()).map(restartsOf)).toEqual(before)

    await cluster.kubectl('--namespace', storesNamespace, 'exec', 'postgres', '--', 'bash', '-c', startPostgres)
    await cluster.rolledOut(service)
    await eventually(async () => expect((await podsOfServices()).every(isReady)).toBe(true), { timeoutMs: 60_000 })
    await noneFails(10, async () => undefined)
    expect((await podsOfServices()).map(restartsOf)).toEqual(before)
  })
})
