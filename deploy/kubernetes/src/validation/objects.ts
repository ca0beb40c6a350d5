import type { Manifest } from '../manifest.js'

/** The fields of a container that the policies check. */
export interface Container {
  readonly name: string
  readonly image: string
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean
    readonly readOnlyRootFilesystem?: boolean
    readonly runAsNonRoot?: boolean
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] }
  }
  readonly resources?: { readonly requests?: Record<string, string>; readonly limits?: Record<string, string> }
  readonly startupProbe?: Probe
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } }
}

interface Probe {
  readonly httpGet?: { readonly path: string }
}

export interface PodSpec {
  readonly serviceAccountName?: string
  readonly automountServiceAccountToken?: boolean
  readonly enableServiceLinks?: boolean
  readonly hostNetwork?: boolean
  readonly securityContext?: { readonly runAsNonRoot?: boolean; readonly seccompProfile?: { readonly type: string } }
  readonly terminationGracePeriodSeconds?: number
  readonly topologySpreadConstraints?: readonly { readonly topologyKey: string }[]
  readonly initContainers?: readonly Container[]
  readonly containers: readonly Container[]
  readonly volumes?: readonly { readonly hostPath?: object }[]
}

export interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>
}

export const specOf = <T>(object: Manifest) => object.spec as T
/** The pod template of a Deployment or a Job. */
export const podOf = (object: Manifest) =>
  (object.spec as { template: { metadata: { labels: Record<string, string> }; spec: PodSpec } }).template
export const containersOf = (pod: PodSpec) => [...(pod.initContainers ?? []), ...pod.containers]

export const selects = (selector: Selector, labels: Readonly<Record<string, string>>) =>
  Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels[name] === value)
