import { describe, expect, it } from '@jest/globals'
import { generatedFiles } from '../src/generated.js'
import type { Manifest } from '../src/manifest.js'
import { brokenPolicies, policies, versioned } from '../src/validation/policies.js'
import { kubernetesVersions, schemaProblems } from '../src/validation/schemas.js'
import { objectsOf } from '../src/validation/validate.js'

const generated = objectsOf(generatedFiles().values())

// biome-ignore lint/suspicious/noExplicitAny: the changes are made at any depth of a YAML object
type Loose = any

/** The generated objects with one change. */
function broken(kind: string, name: string, change: (object: Loose) => void): Manifest[] {
  const objects = structuredClone(generated) as Manifest[]
  const object = objects.find((one) => one.kind === kind && one.metadata.name === name)
  if (!object) throw new Error(`There is no ${kind} ${name}.`)
  change(object)
  return objects
}

const without = (kind: string, name: string) => generated.filter((one) => one.kind !== kind || one.metadata.name !== name)
const podOf = (deployment: Loose) => deployment.spec.template.spec
const serverOf = (deployment: Loose) => podOf(deployment).containers[0]
const mail = (change: (deployment: Loose) => void) => broken('Deployment', 'mail', change)

/** For each policy, a change that breaks it. */
const violations: Record<string, Manifest[]> = {
  'No pod runs as root.': mail((one) => (podOf(one).securityContext.runAsNonRoot = false)),
  'Every pod has the seccomp profile of the runtime.': mail((one) => (podOf(one).securityContext.seccompProfile.type = 'Unconfined')),
  'No pod has a token for the API of Kubernetes.': mail((one) => delete podOf(one).automountServiceAccountToken),
  'Every pod has a ServiceAccount of its own.': mail((one) => (podOf(one).serviceAccountName = 'auth')),
  'No pod finds the addresses of other Services in its environment.': mail((one) => delete podOf(one).enableServiceLinks),
  'No pod shares the network or the disk of its node.': mail((one) => podOf(one).volumes.push({ name: 'host', hostPath: { path: '/' } })),
  'No container gains privileges.': mail((one) => delete podOf(one).initContainers[0].securityContext.allowPrivilegeEscalation),
  'Every root file system is read-only.': mail((one) => (serverOf(one).securityContext.readOnlyRootFilesystem = false)),
  'No container has capabilities.': mail((one) => (serverOf(one).securityContext.capabilities.add = ['NET_ADMIN'])),
  'Every container requests CPU time and memory.': mail((one) => delete serverOf(one).resources.requests.cpu),
  'The memory of every container is limited, to no less than it requests.': mail(
    (one) => (serverOf(one).resources.limits.memory = '128Mi'),
  ),
  'No container has a CPU limit.': mail((one) => (serverOf(one).resources.limits.cpu = '1')),
  'No Secret is written into a manifest: what is secret comes from one by its name.': mail((one) => {
    serverOf(one).env[0] = { name: 'KAFKA_PASSWORD', value: 'open' }
  }),
  'A server is asked whether it has started and can go on, and whether it wants requests.': mail((one) => {
    serverOf(one).readinessProbe.httpGet.path = '/healthz'
  }),
  'A server is not ended before it had its time to stop.': broken('Deployment', 'gateway', (one) => {
    podOf(one).terminationGracePeriodSeconds = 50
  }),
  'Copies of a server are spread over zones and nodes.': mail((one) => podOf(one).topologySpreadConstraints.pop()),
  'A rollout never has fewer copies than there were.': mail((one) => (one.spec.strategy.rollingUpdate.maxUnavailable = 1)),
  'No server says how many copies it has: who applies it would undo what its HorizontalPodAutoscaler has decided.': mail((one) => {
    one.spec.replicas = 2
  }),
  'A Deployment selects its own pods.': mail((one) => (one.spec.selector.matchLabels['app.kubernetes.io/name'] = 'auth')),
  'A server with a database waits for its migrations.': mail((one) => delete podOf(one).initContainers),
  'What may change the structure of a database is in no pod that serves.': mail((one) => {
    serverOf(one).env.push({
      name: 'MAIL_OWNER_DATABASE_URL',
      valueFrom: { secretKeyRef: { name: 'mail-migration', key: 'MAIL_OWNER_DATABASE_URL' } },
    })
  }),
  'The connections of every pod are limited in both directions.': without('NetworkPolicy', 'mail-migration'),
  'gRPC is found under the addresses of all copies.': broken('Service', 'mail-grpc', (one) => delete one.spec.clusterIP),
  'A Service finds pods.': broken('Service', 'mail', (one) => (one.spec.selector['app.kubernetes.io/name'] = 'post')),
  'A drained node takes one copy of a server at a time.': broken('PodDisruptionBudget', 'mail', (one) => (one.spec.maxUnavailable = 2)),
  'What may do everything that the services may runs only when it is asked for.': broken('Deployment', 'caseway', (one) => {
    one.spec.replicas = 1
  }),
  'Every server has at least two copies.': broken('HorizontalPodAutoscaler', 'mail', (one) => (one.spec.minReplicas = 1)),
}

describe('the policies', () => {
  it('hold for the generated objects', () => {
    expect(brokenPolicies(generated)).toEqual([])
  })

  it.each(policies.map(({ sentence }) => sentence))('%s', (sentence) => {
    const objects = violations[sentence]
    if (!objects) throw new Error('No change breaks it here.')
    expect(brokenPolicies(objects)).toEqual([expect.stringContaining(`${sentence} But: `)])
  })

  it('each have a violation in this test, and no others', () => {
    expect(Object.keys(violations).sort()).toEqual(policies.map(({ sentence }) => sentence).sort())
  })

  it('require a version of every applied image', () => {
    const tagged = (image: string) => mail((one) => (serverOf(one).image = image)).filter(({ metadata }) => metadata.name === 'mail')
    const named = (objects: Manifest[]) => brokenPolicies(objects, [versioned]).join()
    for (const image of ['caseway/mail', 'registry.example:5000/caseway/mail', 'caseway/mail:latest'])
      expect(named(tagged(image))).toContain('Deployment mail')
  })
})

describe('the schemas of Kubernetes', () => {
  it('are those of seven versions', () => {
    expect(kubernetesVersions).toEqual(['1.30', '1.31', '1.32', '1.33', '1.34', '1.35', '1.36'])
  })

  it.each(kubernetesVersions)(
    'of %s accept the generated objects, and refuse a misspelt field, a wrong type and a missing value',
    (version) => {
      expect(schemaProblems(version, generated)).toEqual([])
      const changes: ((one: Loose) => void)[] = [
        (one) => (serverOf(one).readinesProbe = {}),
        (one) => (podOf(one).terminationGracePeriodSeconds = '50s'),
        (one) => delete serverOf(one).name,
      ]
      for (const change of changes)
        expect(schemaProblems(version, mail(change))).toEqual([expect.stringContaining(`Deployment mail: .spec.template.spec`)])
    },
  )
})
