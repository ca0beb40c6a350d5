import { installation, settingsOf } from './environment.js'
import { labelsOf, type Manifest } from './manifest.js'
import { autoscaler, disruptionBudget, serviceAccount } from './manifests/availability.js'
import { deployment } from './manifests/deployment.js'
import { migrationJob } from './manifests/migration.js'
import { networkPolicies } from './manifests/network-policies.js'
import { servicesOf } from './manifests/services.js'
import type { Workload } from './workloads.js'
import { kustomization, yamlOf } from './yaml.js'

/** The manifests of a base by file name. */
function manifestsOf(workload: Workload): Record<string, Manifest[]> {
  const { name, migration } = workload
  return {
    'deployment.yaml': [deployment(workload)],
    'services.yaml': servicesOf(workload),
    'service-account.yaml': [serviceAccount(name)],
    ...(migration && { 'migration.yaml': [migrationJob(name, migration)] }),
    'network-policies.yaml': networkPolicies(workload),
    'availability.yaml': [disruptionBudget(name), autoscaler(name)],
  }
}

const settings = (name: string, literals: readonly string[]) => ({ name, literals, options: { labels: labelsOf(name) } })

/** The settings are a ConfigMap whose name kustomize suffixes with a content hash, so that changed settings cause a rollout. */
function kustomizationOf(workload: Workload, files: readonly string[]): string {
  const literals = Object.entries(settingsOf(workload)).map(([name, value]) => `${name}=${value}`)
  return kustomization({ resources: files, configMapGenerator: [settings(workload.name, literals)] })
}

/**
 * The base of all workloads. Its ConfigMap is extended by overlays; it silences KafkaJS's warning about the partitioner, because the default one is
 * wanted.
 */
const whole = (all: readonly Workload[]) =>
  kustomization({
    resources: all.map(({ name }) => name),
    configMapGenerator: [settings(installation, ['KAFKAJS_NO_PARTITIONER_WARNING=1'])],
  })

/** The files of one base per workload, and of the base of all workloads, as pairs of path in `deploy/kubernetes` and text. */
export function basesOf(all: readonly Workload[]): [path: string, text: string][] {
  const each = all.flatMap((workload): [string, string][] => {
    const manifests = Object.entries(manifestsOf(workload))
    const names = manifests.map(([file]) => file)
    const files = [
      ...manifests.map(([file, documents]) => [file, yamlOf(...documents)]),
      ['kustomization.yaml', kustomizationOf(workload, names)],
    ]
    return files.map(([file, text]) => [`bases/${workload.name}/${file}`, text as string])
  })
  return [['bases/kustomization.yaml', whole(all)], ...each]
}
