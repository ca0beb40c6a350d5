/** An object of the Kubernetes API, as it is written into a file. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Labels; readonly annotations?: Labels }
  readonly [field: string]: unknown
}

type Labels = Readonly<Record<string, string>>

/** What a pod does: it serves, it migrates a database once, or it waits for the commands of an operator. */
export type Component = 'server' | 'migration' | 'command-line'

/** What a Deployment and the network policies find pods by. It must never change: a selector of a Deployment cannot. */
export const selectorOf = (workload: string, component: Component = 'server') => ({
  'app.kubernetes.io/name': workload,
  'app.kubernetes.io/component': component,
})

/** The recommended labels (https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels). */
export const labelsOf = (workload: string, component: Component = 'server') => ({
  ...selectorOf(workload, component),
  'app.kubernetes.io/part-of': 'caseway',
})
