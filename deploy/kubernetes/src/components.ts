import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { commandLineManifests } from './command-line.js'
import { labelsOf, type Manifest } from './manifest.js'
import { migrationOf } from './manifests/migration.js'
import { commandLine } from './manifests/network-policies.js'
import type { Workload } from './workloads.js'
import { componentOf, yamlOf } from './yaml.js'

const alerts = new URL('../../observability/alerts.yml', import.meta.url)

const object = (apiVersion: string, kind: string, name: string, spec: object, workload = 'caseway'): Manifest => ({
  apiVersion,
  kind,
  metadata: { name, labels: labelsOf(workload) },
  spec,
})

const withDatabase = (all: readonly Workload[]) => all.filter(({ migration }) => migration).map(({ name }) => name)

/**
 * Suffixes the name of each Job with the tag of its image, because the pod template of a Job is immutable. It must follow the component that sets the
 * images, and takes everything after the first colon of an image as its tag.
 */
const versionedJobs = (all: readonly Workload[]) =>
  componentOf({
    replacements: withDatabase(all).map((name) => {
      const job = { kind: 'Job', name: migrationOf(name) }
      return {
        source: { ...job, fieldPath: 'spec.template.spec.containers.0.image', options: { delimiter: ':', index: 1 } },
        targets: [{ select: job, fieldPaths: ['metadata.name'], options: { delimiter: '-', index: 99 } }],
      }
    }),
  })

/** The programs with a certificate: all workloads and the command line. */
const withCertificate = (all: readonly Workload[]) => [...all.map(({ name }) => name), commandLine]

const certManager = 'cert-manager.io/v1'
const key = { algorithm: 'ECDSA', size: 256 }

/** A certificate authority of the installation, and a certificate for each program with its name. */
const certificates = (all: readonly Workload[]): Manifest[] => [
  object(certManager, 'Issuer', 'caseway-self-signed', { selfSigned: {} }),
  object(certManager, 'Certificate', 'caseway-ca', {
    isCA: true,
    commonName: 'Caseway',
    secretName: 'caseway-ca',
    duration: '87600h',
    privateKey: key,
    issuerRef: { kind: 'Issuer', name: 'caseway-self-signed' },
  }),
  object(certManager, 'Issuer', 'caseway', { ca: { secretName: 'caseway-ca' } }),
  ...withCertificate(all).map((name) => {
    const spec = {
      secretName: `${name}-tls`,
      dnsNames: [name],
      usages: ['digital signature', 'server auth', 'client auth'],
      duration: '2160h',
      privateKey: { ...key, rotationPolicy: 'Always' },
      issuerRef: { kind: 'Issuer', name: 'caseway' },
    }
    return object(certManager, 'Certificate', `${name}-tls`, spec, name)
  }),
]

const cloudNative = 'postgresql.cnpg.io/v1'

/** The name of the Secret with the password of a role, which CloudNativePG reads. */
export const passwordSecretOf = (role: string) => `postgresql-${role}`

export const ownerOf = (service: string) => `${service}-owner`

/** A PostgreSQL cluster of three instances. Each service has a database, an owner role for its migrations, and a role that owns nothing. */
const databases = (all: readonly Workload[]): Manifest[] => {
  const roles = withDatabase(all).flatMap((name) => [ownerOf(name), name])
  return [
    object(cloudNative, 'Cluster', 'postgresql', {
      instances: 3,
      imageName: 'ghcr.io/cloudnative-pg/postgresql:18',
      storage: { size: '20Gi' },
      resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { memory: '2Gi' } },
      postgresql: { parameters: { max_connections: '400', shared_buffers: '256MB' } },
      managed: {
        roles: roles.map((name) => ({ name, ensure: 'present', login: true, passwordSecret: { name: passwordSecretOf(name) } })),
      },
    }),
    ...withDatabase(all).map((name) =>
      object(cloudNative, 'Database', name, { name, owner: ownerOf(name), cluster: { name: 'postgresql' } }, name),
    ),
  ]
}

/** A volume for each service that keeps data in a folder, shared by all of its copies. */
const volumes = (all: readonly Workload[]) => {
  const keeping = all.flatMap(({ name, folder }) => (folder ? [{ name, folder }] : []))
  const claims = keeping.map(({ name }): Manifest => {
    const spec = { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '50Gi' } } }
    return object('v1', 'PersistentVolumeClaim', `${name}-data`, spec, name)
  })
  // The command line needs these folders to export and import offices.
  const patches = keeping.map(({ name, folder }) => ({
    target: { kind: 'Deployment', name: `(${name}|${commandLine})` },
    patch: JSON.stringify([
      {
        op: 'add',
        path: '/spec/template/spec/volumes/-',
        value: { name: `${name}-data`, persistentVolumeClaim: { claimName: `${name}-data` } },
      },
      { op: 'add', path: '/spec/template/spec/containers/0/volumeMounts/-', value: { name: `${name}-data`, mountPath: folder } },
    ]),
  }))
  return { claims, patches }
}

const caseway = { matchLabels: { 'app.kubernetes.io/part-of': 'caseway', 'app.kubernetes.io/component': 'server' } }

/** Collects the metrics of every pod; only Prometheus may connect to them. The job has the name to which the alerts refer. */
const monitoring = (): Manifest[] => [
  object('monitoring.coreos.com/v1', 'PodMonitor', 'caseway', {
    jobLabel: 'app.kubernetes.io/part-of',
    selector: caseway,
    podMetricsEndpoints: [{ port: 'metrics', interval: '15s' }],
  }),
  object('monitoring.coreos.com/v1', 'PrometheusRule', 'caseway', parse(readFileSync(alerts, 'utf8'))),
  object('networking.k8s.io/v1', 'NetworkPolicy', 'metrics', {
    podSelector: caseway,
    policyTypes: ['Ingress'],
    ingress: [
      { from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }], ports: [{ port: 'metrics' }] },
    ],
  }),
]

const external = (name: string, matchLabels: object, averageValue: string) => ({
  type: 'External',
  external: { metric: { name, selector: { matchLabels } }, target: { type: 'AverageValue', averageValue } },
})

/**
 * Scaling metrics for load that takes little CPU time: the consumer lag, which one copy reports per topic, and mailboxes, which every copy reports in
 * full, so that a recording rule reduces them to one series. 100 mailboxes per copy are half of `MAIL_MAILBOXES`, so that the others can take over
 * those of a copy that ends.
 */
const metricsOf = (name: string) => [
  external('consumer_lag_events', { service: name }, '1000'),
  ...(name === 'mail' ? [external('state:mail_mailboxes:max', { state: 'active' }, '100')] : []),
]

const externalMetrics = (all: readonly Workload[]) =>
  componentOf({
    patches: withDatabase(all).map((name) => ({
      target: { kind: 'HorizontalPodAutoscaler', name },
      patch: JSON.stringify(metricsOf(name).map((value) => ({ op: 'add', path: '/spec/metrics/-', value }))),
    })),
  })

const withResources = (folder: string, file: string, manifests: Manifest[], more = {}): [string, string][] => [
  [`components/${folder}/${file}`, yamlOf(...manifests)],
  [`components/${folder}/kustomization.yaml`, componentOf({ resources: [file], ...more })],
]

/** The files of the components that are derived from the workloads, as pairs of path in `deploy/kubernetes` and text. */
export function componentsOf(all: readonly Workload[]): [path: string, text: string][] {
  const { claims, patches } = volumes(all)
  return [
    ['components/versioned-jobs/kustomization.yaml', versionedJobs(all)],
    ...withResources('command-line', 'command-line.yaml', commandLineManifests(all)),
    ...withResources('cert-manager', 'certificates.yaml', certificates(all)),
    ...withResources('cloudnative-pg', 'databases.yaml', databases(all)),
    ...withResources('volumes', 'claims.yaml', claims, { patches }),
    ...withResources('service-monitor', 'monitoring.yaml', monitoring()),
    ['components/external-metrics/kustomization.yaml', externalMetrics(all)],
  ]
}
