import type { DeclaredVariable } from '@caseway/kit/config'
import { installation, secretsOf } from './environment.js'
import { labelsOf, type Manifest, selectorOf } from './manifest.js'
import { serviceAccount } from './manifests/availability.js'
import { commandLine, egressTo, policy } from './manifests/network-policies.js'
import { authorities, certificates, containerSecurity, imageOf, isolation, podSecurity } from './manifests/pod.js'
import { resourcesOf } from './sizes.js'
import type { Workload } from './workloads.js'

/** The folder for `office export` and `office import`. */
const exchange = { name: 'tmp', mountPath: '/tmp' }

/** Sleeps until commands are executed in the pod, and ends immediately on SIGTERM. */
const waiting = ['sh', '-c', 'trap exit TERM; sleep infinity & wait']

/** An import of an office of 1.3 GB took 630 MB of memory (docs/operations.md). */
const size = { cpu: '50m', memory: '256Mi', memoryLimit: '1Gi' }

/** Removes duplicates: variables that are shared between services appear once. */
const once = (secrets: ReturnType<typeof secretsOf>) => [...new Map(secrets.map((secret) => [secret.name, secret])).values()]

const settings = (names: readonly string[]) => names.map((name) => ({ configMapRef: { name } }))

/**
 * A pod with the configuration and the secrets of every service, in which an operator executes commands (deploy/caseway). It has no replicas until
 * the operator scales it up, because it has the rights of all services together.
 */
function deployment(services: readonly Workload[]): Manifest {
  const labels = labelsOf(commandLine, 'command-line')
  const variables = services.map(({ name, variables }) => secretsOf(variables as readonly DeclaredVariable[], name))
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: commandLine, labels },
    spec: {
      replicas: 0,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: selectorOf(commandLine, 'command-line') },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: commandLine,
          ...isolation,
          securityContext: podSecurity,
          containers: [
            {
              name: commandLine,
              image: imageOf(commandLine),
              command: waiting,
              envFrom: settings([installation, ...services.map(({ name }) => name)]),
              env: once(variables.flat()),
              resources: resourcesOf(size),
              securityContext: containerSecurity,
              volumeMounts: [certificates(commandLine).mount, authorities.mount, exchange],
            },
          ],
          volumes: [certificates(commandLine).volume, authorities.volume, { name: exchange.name, emptyDir: { sizeLimit: '10Gi' } }],
        },
      },
    },
  }
}

/**
 * The manifests of the command line. It may connect to everything that services connect to, except hosts that offices configure; nothing may connect
 * to it.
 */
export function commandLineManifests(all: readonly Workload[]): Manifest[] {
  const services = all.filter(({ migration }) => migration)
  return [
    deployment(services),
    serviceAccount(commandLine, 'command-line'),
    policy(commandLine, commandLine, 'command-line', [], egressTo(services)),
  ]
}
