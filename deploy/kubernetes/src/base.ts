import { installation, settingsOf } from './environment.js'
import { labelsOf, type Manifest } from './manifest.js'
import { autoscaler, disruptionBudget, serviceAccount } from './manifests/availability.js'
import { deployment } from './manifests/deployment.js'
import { migrationJob } from './manifests/migration.js'
import { networkPolicies } from './manifests/network-policies.js'
import { servicesOf } from './manifests/services.js'
import type { Workload } from './workloads.js'
import { kustomization, yamlOf } from './yaml.js'

/** The files of a base, by their names: each holds what somebody who looks for it would expect under that name. */
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

/** Its settings are a ConfigMap whose name kustomize ends with a hash of them: other settings are a rollout. */
function kustomizationOf(workload: Workload, files: readonly string[]): string {
  const literals = Object.entries(settingsOf(workload)).map(([name, value]) => `${name}=${value}`)
  return kustomization({ resources: files, configMapGenerator: [settings(workload.name, literals)] })
}

/** What all workloads read; an overlay says the rest. KafkaJS warns of its partitioner, which is the one that is wanted. */
const whole = (all: readonly Workload[]) =>
  kustomization({
    resources: all.map(({ name }) => name),
    configMapGenerator: [settings(installation, ['KAFKAJS_NO_PARTITIONER_WARNING=1'])],
  })

/** A base for each workload, and one for all of them: the text of each file, by its path in `deploy/kubernetes`. */
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
