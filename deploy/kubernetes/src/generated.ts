import { basesOf } from './base.js'
import { componentsOf } from './components.js'
import { type Workload, workloads } from './workloads.js'

/** Every file that is written from what the code declares: its text, by its path in `deploy/kubernetes`. */
export const generatedFiles = (all: readonly Workload[] = workloads): ReadonlyMap<string, string> =>
  new Map([...basesOf(all), ...componentsOf(all)])
