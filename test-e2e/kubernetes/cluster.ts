import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Manifest } from '../../deploy/kubernetes/src/manifest.js'

const run = promisify(execFile)
const megabytes = 1024 * 1024

interface Pod {
  metadata: { name: string; deletionTimestamp?: string; labels: Record<string, string> }
  spec: { nodeName?: string }
  status: {
    conditions?: { type: string; status: string }[]
    initContainerStatuses?: ContainerStatus[]
    containerStatuses?: ContainerStatus[]
  }
}

interface ContainerStatus {
  restartCount: number
  state: { running?: object; waiting?: { reason: string } }
}

/** Access to one namespace of the cluster for which kubectl is configured. */
export function createCluster(namespace: string) {
  /** Runs kubectl, and returns its output. @throws Error with its error output */
  async function kubectl(...args: string[]): Promise<string> {
    const { stdout } = await run('kubectl', ['--namespace', namespace, ...args], { maxBuffer: 64 * megabytes })
    return stdout
  }

  /** Runs `kubectl … -f -` with `input`. */
  async function kubectlWith(input: string, ...args: string[]) {
    const running = run('kubectl', ['--namespace', namespace, ...args, '--filename', '-'], { maxBuffer: 64 * megabytes })
    running.child.stdin?.end(input)
    return running
  }

  const json = async <T>(...args: string[]) => JSON.parse(await kubectl(...args, '--output', 'json')) as T
  const rollout = (name: string, timeout: string) => kubectl('rollout', 'status', `deployment/${name}`, `--timeout=${timeout}`)

  return {
    kubectl,
    kubectlWith,
    json,

    apply: (manifests: readonly Manifest[]) => kubectlWith(manifests.map((one) => JSON.stringify(one)).join('\n---\n'), 'apply'),

    /** @throws Error when the rollout does not end in time */
    rolledOut: (name: string, timeout = '5m') => rollout(name, timeout),

    async restart(name: string) {
      await kubectl('rollout', 'restart', `deployment/${name}`)
      await rollout(name, '5m')
    },

    /** The pods of a program, without terminating ones. */
    async podsOf(program: string): Promise<Pod[]> {
      const { items } = await json<{ items: Pod[] }>('get', 'pods', '--selector', `app.kubernetes.io/name=${program}`)
      return items.filter(({ metadata }) => !metadata.deletionTimestamp && metadata.labels['app.kubernetes.io/component'] !== 'migration')
    },

    /** Runs a Node.js script in a pod, and returns its output. */
    node: (pod: string, script: string) => kubectl('exec', pod, '--', 'node', '--eval', script),
  }
}

export type Cluster = ReturnType<typeof createCluster>

export const isReady = ({ status }: Pod) => status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false

export const restartsOf = ({ status }: Pod) =>
  [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].reduce((sum, { restartCount }) => sum + restartCount, 0)
