/** Kubernetes quantities. There are no CPU limits: they would throttle requests while the node has idle CPU. */
export interface Size {
  readonly cpu: string
  readonly memory: string
  readonly memoryLimit: string
}

/**
 * Requests are the memory of an idle process (docs/performance.md: 107 to 142 MiB), rounded up, and for `files` and `mail` the bytes in flight.
 * Limits are at least 1.7 times the highest measured peak (gateway 295, files 282 MiB), and for `mail` (375 MiB) more than three times, because it
 * receives many mailboxes at once.
 */
const sizes: Readonly<Record<string, Size>> = {
  auth: { cpu: '200m', memory: '192Mi', memoryLimit: '512Mi' },
  'cases-and-counters': { cpu: '200m', memory: '192Mi', memoryLimit: '512Mi' },
  files: { cpu: '100m', memory: '256Mi', memoryLimit: '512Mi' },
  mail: { cpu: '200m', memory: '384Mi', memoryLimit: '1280Mi' },
  gateway: { cpu: '200m', memory: '192Mi', memoryLimit: '512Mi' },
}

const others: Size = { cpu: '50m', memory: '160Mi', memoryLimit: '384Mi' }

export const sizeOf = (workload: string): Size => sizes[workload] ?? others

/** The `resources` of a container. */
export const resourcesOf = ({ cpu, memory, memoryLimit }: Size) => ({ requests: { cpu, memory }, limits: { memory: memoryLimit } })
