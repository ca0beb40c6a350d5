import { stringify } from 'yaml'
import { settingsOf } from './environment.js'
import type { Manifest } from './manifest.js'
import { autoscaler, disruptionBudget, serviceAccount } from './manifests/availability.js'
import { deployment } from './manifests/deployment.js'
import { migrationJob } from './manifests/migration.js'
import { networkPolicies } from './manifests/network-policies.js'
import { servicesOf } from './manifests/services.js'
import { type Workload, workloads } from './workloads.js'

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

const generated = '# Written by npm run manifests, from what the code declares.\n'

const yamlOf = (...documents: object[]) =>
  generated + documents.map((document) => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n')

const kustomization = (content: object) => yamlOf({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', ...content })

/** Its settings are a ConfigMap whose name kustomize ends with a hash of them: other settings are a rollout. */
function kustomizationOf(workload: Workload, files: readonly string[]): string {
  const literals = Object.entries(settingsOf(workload)).map(([name, value]) => `${name}=${value}`)
  return kustomization({ resources: files, configMapGenerator: [{ name: workload.name, literals }] })
}

/** Everything that is generated: the text of each file, by its path in `deploy/kubernetes`. */
export function basesOf(all: readonly Workload[] = workloads): Map<string, string> {
  const files = new Map([['bases/kustomization.yaml', kustomization({ resources: all.map(({ name }) => name) })]])
  for (const workload of all) {
    const manifests = Object.entries(manifestsOf(workload))
    for (const [file, documents] of manifests) files.set(`bases/${workload.name}/${file}`, yamlOf(...documents))
    const names = manifests.map(([file]) => file)
    files.set(`bases/${workload.name}/kustomization.yaml`, kustomizationOf(workload, names))
  }
  return files
}
