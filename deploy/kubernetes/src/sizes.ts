/** Kubernetes quantities. Nobody has a CPU limit: it would delay requests while the node has time to spare. */
export interface Size {
  readonly cpu: string
  readonly memory: string
  readonly memoryLimit: string
}

/**
 * The request is what an idle process has (docs/performance.md: 107 to 142 MiB), rounded up, and in `files` and `mail` what the
 * bytes in flight add; the limit is 1.7 times the highest peak that is measured there (gateway 295, files 282 MiB) and more, for `mail` (375 MiB)
 * above three times, because it receives many mailboxes at once.
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

/** What `resources` of a container says. */
export const resourcesOf = ({ cpu, memory, memoryLimit }: Size) => ({ requests: { cpu, memory }, limits: { memory: memoryLimit } })
