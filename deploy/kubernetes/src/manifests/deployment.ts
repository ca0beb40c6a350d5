import { defaultStopTimeoutMs } from '@caseway/kit/lifecycle'
import { secretsOf } from '../environment.js'
import { labelsOf, type Manifest, selectorOf } from '../manifest.js'
import { resourcesOf, sizeOf } from '../sizes.js'
import type { Workload } from '../workloads.js'
import { authorities, certificates, containerSecurity, environmentFrom, imageOf, isolation, podSecurity } from './pod.js'

/**
 * Delay before SIGTERM, in seconds. A load balancer in front of the cluster notices the end of a gateway later than the cluster does. For other
 * workloads `…_READINESS_DELAY_MS` suffices: the time for which a stopping process still serves.
 */
const preStopSeconds = (workload: string) => (workload === 'gateway' ? 10 : 0)

/** Time for the runtime to end the container after the program's own stop timeout. */
const graceAfterStopSeconds = 5

/** `replicas` is left out, because it would overwrite the decision of the HorizontalPodAutoscaler with every rollout. */
export function deployment(workload: Workload): Manifest {
  const { name, migration } = workload
  const labels = labelsOf(name)
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      revisionHistoryLimit: 5,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: selectorOf(name) },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          ...isolation,
          securityContext: podSecurity,
          terminationGracePeriodSeconds: preStopSeconds(name) + defaultStopTimeoutMs / 1000 + graceAfterStopSeconds,
          topologySpreadConstraints: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) =>
            spread(name, topologyKey),
          ),
          ...(migration && { initContainers: [awaitMigrations(workload)] }),
          containers: [server(workload)],
          volumes: [certificates(name).volume, authorities.volume, { name: 'tmp', emptyDir: { sizeLimit: '2Gi' } }],
        },
      },
    },
  }
}

/** Spreads pods evenly over zones or nodes, each version for itself. */
const spread = (workload: string, topologyKey: string) => ({
  topologyKey,
  maxSkew: 1,
  whenUnsatisfiable: 'ScheduleAnyway',
  labelSelector: { matchLabels: selectorOf(workload) },
  matchLabelKeys: ['pod-template-hash'],
})

function server(workload: Workload) {
  const { name, variables, ports } = workload
  const delay = preStopSeconds(name)
  return {
    name,
    image: imageOf(name),
    ports: Object.entries(ports).map(([port, containerPort]) => ({ name: port, containerPort })),
    envFrom: environmentFrom(name),
    env: secretsOf(variables, name),
    resources: resourcesOf(sizeOf(name)),
    securityContext: containerSecurity,
    startupProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 60 },
    livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
    // On a node that is short of CPU time all copies are slow at once; a lower threshold would leave no ready one.
    readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 3 },
    ...(delay > 0 && { lifecycle: { preStop: { sleep: { seconds: delay } } } }),
    volumeMounts: [certificates(name).mount, authorities.mount, { name: 'tmp', mountPath: '/tmp' }],
  }
}

/** An init container that waits until the Job has migrated the database. Meanwhile, and if the Job fails, the old version keeps serving. */
function awaitMigrations({ name, variables }: Workload) {
  return {
    name: 'await-migrations',
    image: imageOf(name),
    command: ['node', 'dist/migrate.js', '--wait'],
    envFrom: environmentFrom(name),
    env: secretsOf(variables, name).filter((secret) => secret.name.endsWith('_DATABASE_URL')),
    resources: resourcesOf({ cpu: '50m', memory: '96Mi', memoryLimit: '192Mi' }),
    securityContext: containerSecurity,
    volumeMounts: [authorities.mount],
  }
}
