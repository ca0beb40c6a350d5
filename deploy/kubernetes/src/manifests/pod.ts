import { authorityFolder, certificateFolder, installation } from '../environment.js'

/** The id of the user `node` in the images. */
const user = 1000

/** The security context that the profile `restricted` of the Pod Security Standards requires. */
export const podSecurity = {
  runAsNonRoot: true,
  runAsUser: user,
  runAsGroup: user,
  fsGroup: user,
  fsGroupChangePolicy: 'OnRootMismatch',
  seccompProfile: { type: 'RuntimeDefault' },
}

export const containerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
}

/** No pod calls the Kubernetes API, and service links would add variables that look like configuration. */
export const isolation = { automountServiceAccountToken: false, enableServiceLinks: false }

/** An overlay sets registry and tag. */
export const imageOf = (workload: string) => `caseway/${workload}`

/** The ConfigMaps of every container: the common one, then that of the workload, which takes precedence. */
export const environmentFrom = (workload: string) => [{ configMapRef: { name: installation } }, { configMapRef: { name: workload } }]

const readable = 0o440

/**
 * The certificate of a workload. It is reread while the process runs, so it is mounted as a folder: a file that is mounted with `subPath` is never
 * updated.
 */
export const certificates = (workload: string) => ({
  volume: { name: 'tls', secret: { secretName: `${workload}-tls`, defaultMode: readable } },
  mount: { name: 'tls', mountPath: certificateFolder, readOnly: true },
})

const authority = (secret: string, path: string) => ({ secret: { name: secret, optional: true, items: [{ key: 'ca.crt', path }] } })

const authoritySources = [authority('postgresql-ca', 'postgresql.crt'), authority('kafka-cluster-ca-cert', 'kafka.crt')]

/**
 * CA certificates of PostgreSQL and Kafka, if Node.js does not trust them by default. The Secrets have the names that CloudNativePG and Strimzi give
 * them.
 */
export const authorities = {
  volume: { name: 'authorities', projected: { defaultMode: readable, sources: authoritySources } },
  mount: { name: 'authorities', mountPath: authorityFolder, readOnly: true },
}
