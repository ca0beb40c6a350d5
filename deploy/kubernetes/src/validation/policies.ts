import { defaultStopTimeoutMs } from '@caseway/kit/lifecycle'
import type { Manifest } from '../manifest.js'
import { type Container, containersOf, type PodSpec, podOf, type Selector, selects, specOf } from './objects.js'

/** A rule for the objects of an installation: a sentence, and a function that returns the objects which violate it. */
export interface Policy {
  readonly sentence: string
  readonly broken: (all: readonly Manifest[]) => Manifest[]
}

const of = (all: readonly Manifest[], ...kinds: string[]) => all.filter(({ kind }) => kinds.includes(kind))
const withPods = (all: readonly Manifest[]) => of(all, 'Deployment', 'Job')
/** Deployments whose pods serve requests; the command line, which runs once at most, is not one. */
const servers = (all: readonly Manifest[]) =>
  of(all, 'Deployment').filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'server')

/** A check that returns the Deployments and Jobs whose pods do not satisfy `holds`. */
const podsMust = (holds: (pod: PodSpec) => boolean | undefined) => (all: readonly Manifest[]) =>
  withPods(all).filter((one) => !holds(podOf(one).spec))
const containersMust = (holds: (container: Container) => boolean | undefined) => podsMust((pod) => containersOf(pod).every(holds))
const serversMust = (holds: (pod: PodSpec, server: Container) => boolean | undefined) => (all: readonly Manifest[]) =>
  servers(all).filter((one) => !holds(podOf(one).spec, podOf(one).spec.containers[0] as Container))

const mebibytes = (quantity = '') => {
  const [, number, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? []
  return Number(number) * (unit === 'Gi' ? 1024 : 1)
}

const stopSeconds = defaultStopTimeoutMs / 1000

export const policies: readonly Policy[] = [
  { sentence: 'No pod runs as root.', broken: podsMust((pod) => pod.securityContext?.runAsNonRoot) },
  {
    sentence: 'Every pod has the seccomp profile of the runtime.',
    broken: podsMust((pod) => pod.securityContext?.seccompProfile?.type === 'RuntimeDefault'),
  },
  { sentence: 'No pod has a token for the API of Kubernetes.', broken: podsMust((pod) => pod.automountServiceAccountToken === false) },
  {
    sentence: 'Every pod has a ServiceAccount of its own.',
    broken: (all) =>
      withPods(all).filter((one) => podOf(one).spec.serviceAccountName !== podOf(one).metadata.labels['app.kubernetes.io/name']),
  },
  {
    sentence: 'No pod finds the addresses of other Services in its environment.',
    broken: podsMust((pod) => pod.enableServiceLinks === false),
  },
  {
    sentence: 'No pod shares the network or the disk of its node.',
    broken: podsMust((pod) => !pod.hostNetwork && !pod.volumes?.some(({ hostPath }) => hostPath)),
  },
  { sentence: 'No container gains privileges.', broken: containersMust((one) => one.securityContext?.allowPrivilegeEscalation === false) },
  { sentence: 'Every root file system is read-only.', broken: containersMust((one) => one.securityContext?.readOnlyRootFilesystem) },
  {
    sentence: 'No container has capabilities.',
    broken: containersMust(
      ({ securityContext }) => securityContext?.capabilities?.drop?.includes('ALL') && !securityContext.capabilities.add?.length,
    ),
  },
  {
    sentence: 'Every container requests CPU time and memory.',
    broken: containersMust(({ resources }) => Boolean(resources?.requests?.cpu && resources.requests.memory)),
  },
  {
    sentence: 'The memory of every container is limited, to no less than it requests.',
    broken: containersMust(({ resources }) => mebibytes(resources?.limits?.memory) >= mebibytes(resources?.requests?.memory)),
  },
  { sentence: 'No container has a CPU limit.', broken: containersMust(({ resources }) => resources?.limits?.cpu === undefined) },
  {
    sentence: 'No Secret is written into a manifest: what is secret comes from one by its name.',
    broken: (all) => [
      ...of(all, 'Secret'),
      ...podsMust((pod) => containersOf(pod).every((one) => !one.env?.some(({ value }) => value !== undefined)))(all),
    ],
  },
  {
    sentence: 'A server is asked whether it has started and can go on, and whether it wants requests.',
    broken: serversMust(
      (_, { startupProbe, livenessProbe, readinessProbe }) =>
        startupProbe?.httpGet?.path === '/healthz' &&
        livenessProbe?.httpGet?.path === '/healthz' &&
        readinessProbe?.httpGet?.path === '/readyz',
    ),
  },
  {
    sentence: 'A server is not ended before it had its time to stop.',
    broken: serversMust(
      (pod, server) => (pod.terminationGracePeriodSeconds ?? 30) > stopSeconds + (server.lifecycle?.preStop?.sleep?.seconds ?? 0),
    ),
  },
  {
    sentence: 'Copies of a server are spread over zones and nodes.',
    broken: serversMust((pod) =>
      ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].every((key) =>
        pod.topologySpreadConstraints?.some(({ topologyKey }) => topologyKey === key),
      ),
    ),
  },
  {
    sentence: 'A rollout never has fewer copies than there were.',
    broken: (all) =>
      servers(all).filter(
        (one) => specOf<{ strategy?: { rollingUpdate?: { maxUnavailable?: number } } }>(one).strategy?.rollingUpdate?.maxUnavailable !== 0,
      ),
  },
  {
    sentence: 'No server says how many copies it has: who applies it would undo what its HorizontalPodAutoscaler has decided.',
    broken: (all) => servers(all).filter((one) => specOf<{ replicas?: number }>(one).replicas !== undefined),
  },
  {
    sentence: 'A Deployment selects its own pods.',
    broken: (all) =>
      of(all, 'Deployment').filter((one) => !selects(specOf<{ selector: Selector }>(one).selector, podOf(one).metadata.labels)),
  },
  {
    sentence: 'A server with a database waits for its migrations.',
    broken: (all) =>
      of(all, 'Job')
        .filter((job) => podOf(job).spec.containers.some(({ name }) => name === 'migrate'))
        .flatMap((job) =>
          of(all, 'Deployment').filter(({ metadata }) => metadata.name === podOf(job).metadata.labels['app.kubernetes.io/name']),
        )
        .filter((one) => !podOf(one).spec.initContainers?.some(({ name }) => name === 'await-migrations')),
  },
  {
    sentence: 'What may change the structure of a database is in no pod that serves.',
    broken: (all) =>
      servers(all).filter((one) =>
        containersOf(podOf(one).spec).some(({ env }) => env?.some(({ name }) => name.includes('OWNER_DATABASE_URL'))),
      ),
  },
  {
    sentence: 'The connections of every pod are limited in both directions.',
    broken: (all) =>
      ['Ingress', 'Egress'].flatMap((direction) =>
        withPods(all).filter(
          (one) =>
            !of(all, 'NetworkPolicy').some((policy) => {
              const { podSelector, policyTypes } = specOf<{ podSelector: Selector; policyTypes: string[] }>(policy)
              return policyTypes.includes(direction) && selects(podSelector, podOf(one).metadata.labels)
            }),
        ),
      ),
  },
  {
    sentence: 'gRPC is found under the addresses of all copies.',
    broken: (all) =>
      of(all, 'Service').filter((one) => {
        const { clusterIP, ports } = specOf<{ clusterIP?: string; ports: { name: string }[] }>(one)
        return ports.some(({ name }) => name === 'grpc') && clusterIP !== 'None'
      }),
  },
  {
    sentence: 'A Service finds pods.',
    broken: (all) =>
      of(all, 'Service').filter((one) => {
        const matchLabels = specOf<{ selector: Record<string, string> }>(one).selector
        return !withPods(all).some((workload) => selects({ matchLabels }, podOf(workload).metadata.labels))
      }),
  },
  {
    sentence: 'A drained node takes one copy of a server at a time.',
    broken: (all) =>
      servers(all).filter(
        (one) =>
          !of(all, 'PodDisruptionBudget').some((budget) => {
            const { selector, maxUnavailable } = specOf<{ selector: Selector; maxUnavailable?: number }>(budget)
            return maxUnavailable === 1 && selects(selector, podOf(one).metadata.labels)
          }),
      ),
  },
  {
    sentence: 'What may do everything that the services may runs only when it is asked for.',
    broken: (all) =>
      of(all, 'Deployment').filter((one) => !servers(all).includes(one) && specOf<{ replicas?: number }>(one).replicas !== 0),
  },
  {
    sentence: 'Every server has at least two copies.',
    broken: (all) =>
      servers(all).filter(
        ({ metadata }) =>
          !of(all, 'HorizontalPodAutoscaler').some((one) => {
            const { scaleTargetRef, minReplicas } = specOf<{ scaleTargetRef: { name: string }; minReplicas: number }>(one)
            return scaleTargetRef.name === metadata.name && minReplicas >= 2
          }),
      ),
  },
]

/** Applies to overlays only, because the bases have no versions. */
export const versioned: Policy = {
  sentence: 'Every image has a tag, and none is latest.',
  broken: containersMust(({ image }) => /:(?!latest$)[\w.-]+$/.test(image)),
}

/** Each violated rule, with the objects that violate it. */
export const brokenPolicies = (all: readonly Manifest[], which: readonly Policy[] = policies): string[] =>
  which.flatMap(({ sentence, broken }) => {
    const names = broken(all).map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    return names.length > 0 ? [`${sentence} But: ${[...new Set(names)].join(', ')}`] : []
  })
