import { authorityFolder, certificateFolder, installation } from '../environment.js'

/** The user `node` of the images. */
const user = 1000

/** What every pod promises, so that the profile `restricted` of Pod Security Standards takes it. */
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

/** No pod asks the API of Kubernetes, and none needs the addresses of others in its environment, where they would look like configuration. */
export const isolation = { automountServiceAccountToken: false, enableServiceLinks: false }

/** Replaced by an overlay, which says registry and tag. */
export const imageOf = (workload: string) => `caseway/${workload}`

/** What every container reads: what an overlay says for all of them, then what is said for this one. */
export const environmentFrom = (workload: string) => [{ configMapRef: { name: installation } }, { configMapRef: { name: workload } }]

const readable = 0o440

/** Its certificate, which is read anew while the process runs, so that no file of it may be mounted by itself. */
export const certificates = (workload: string) => ({
  volume: { name: 'tls', secret: { secretName: `${workload}-tls`, defaultMode: readable } },
  mount: { name: 'tls', mountPath: certificateFolder, readOnly: true },
})

const authority = (secret: string, path: string) => ({ secret: { name: secret, optional: true, items: [{ key: 'ca.crt', path }] } })

const authoritySources = [authority('postgresql-ca', 'postgresql.crt'), authority('kafka-cluster-ca-cert', 'kafka.crt')]

/**
 * The authorities of PostgreSQL and Kafka, where they are not those that Node.js trusts: the Secrets have the names that CloudNativePG and Strimzi
 * give them.
 */
export const authorities = {
  volume: { name: 'authorities', projected: { defaultMode: readable, sources: authoritySources } },
  mount: { name: 'authorities', mountPath: authorityFolder, readOnly: true },
}
