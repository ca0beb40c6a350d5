/** An object of the Kubernetes API. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Labels; readonly annotations?: Labels }
  readonly [field: string]: unknown
}

type Labels = Readonly<Record<string, string>>

/** The role of a pod: it serves, migrates a database once, or waits for the commands of an operator. */
export type Component = 'server' | 'migration' | 'command-line'

/** The labels by which Deployments and network policies select pods. They must never change, because the selector of a Deployment is immutable. */
export const selectorOf = (workload: string, component: Component = 'server') => ({
  'app.kubernetes.io/name': workload,
  'app.kubernetes.io/component': component,
})

/** The recommended labels (https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels). */
export const labelsOf = (workload: string, component: Component = 'server') => ({
  ...selectorOf(workload, component),
  'app.kubernetes.io/part-of': 'caseway',
})
