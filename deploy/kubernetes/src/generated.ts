import { basesOf } from './base.js'
import { componentsOf } from './components.js'
import { type Workload, workloads } from './workloads.js'

/** All files that are generated from code, by their path in `deploy/kubernetes`. */
export const generatedFiles = (all: readonly Workload[] = workloads): ReadonlyMap<string, string> =>
  new Map([...basesOf(all), ...componentsOf(all)])
