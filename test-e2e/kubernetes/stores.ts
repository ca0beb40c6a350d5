import { readFileSync } from 'node:fs'
import type { CertificateFiles } from '@caseway/kit/grpc'
import { serviceNames } from '@caseway/registry'
import type { Manifest } from '../../deploy/kubernetes/src/manifest.js'
import { images } from '../containers/images.js'
import { kafkaBroker } from '../support/kafka-broker.js'
import { startWithTls } from '../support/postgres-server.js'

/** Outside of the namespace of the installation, like external PostgreSQL and Kafka in production. */
export const storesNamespace = 'caseway-test-stores'

export const storeHosts = { postgres: `postgres.${storesNamespace}`, kafka: `kafka.${storesNamespace}` }

const stoppedFile = '/var/lib/postgresql/stopped'
/** Stops PostgreSQL until `startPostgres`: the container is restarted, and waits until the file is removed. */
export const stopPostgres = `touch ${stoppedFile} && kill -INT 1`
export const startPostgres = `rm ${stoppedFile}`

interface Store {
  image: string
  port: number
  script: string
  files: Record<string, string>
  environment?: Record<string, string>
  readiness: object
  /** The CPU request, which starting pods cannot take away. */
  cpu: string
  node: string
  /** A folder that survives restarts of the container. */
  data?: string
}

/** A pod with its Service, and a Secret with its files. */
function storeManifests(name: string, { image, port, script, files, environment = {}, readiness, cpu, node, data }: Store): Manifest[] {
  const metadata = { name, labels: { app: name } }
  const paths = Object.keys(files)
  const keyOf = (path: string) => path.split('/').at(-1) as string
  const content = Object.fromEntries(paths.map((path) => [keyOf(path), files[path]]))
  return [
    { apiVersion: 'v1', kind: 'Secret', metadata, stringData: content },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: { app: name }, ports: [{ port }] } },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: {
        nodeSelector: { 'kubernetes.io/hostname': node },
        containers: [
          {
            name,
            image,
            command: ['bash', '-c', script],
            env: Object.entries(environment).map(([name, value]) => ({ name, value })),
            readinessProbe: { ...readiness, periodSeconds: 2 },
            resources: { requests: { cpu } },
            volumeMounts: [
              ...paths.map((path) => ({ name: 'files', mountPath: path, subPath: keyOf(path) })),
              ...(data ? [{ name: 'data', mountPath: data }] : []),
            ],
          },
        ],
        volumes: [
          { name: 'files', secret: { secretName: name, defaultMode: 0o444 } },
          { name: 'data', emptyDir: {} },
        ],
      },
    },
  ]
}

/** The passwords of roles, by role. */
export type Passwords = Readonly<Record<string, string>>

/** SQL: a database for each service, its owner, who is no superuser, and its role, as deploy/kubernetes/README.md requires. */
const rolesAndDatabases = (passwords: Passwords) =>
  [
    ...Object.entries(passwords).map(([role, password]) => `CREATE ROLE "${role}" LOGIN PASSWORD '${password}';`),
    ...serviceNames.map((name) => `CREATE DATABASE "${name}" OWNER "${name}-owner";`),
  ].join('\n')

interface StoreOptions {
  certificates: Record<'postgres' | 'kafka', CertificateFiles>
  passwords: Passwords
  kafkaPassword: string
  /** The node that is never drained. */
  node: string
}

/** PostgreSQL and Kafka with TLS, at `storeHosts`. */
export function stores({ certificates, passwords, kafkaPassword, node }: StoreOptions): Manifest[] {
  const broker = kafkaBroker(certificates.kafka, kafkaPassword)
  const text = (file: string) => readFileSync(file, 'utf8')
  return [
    ...storeManifests('postgres', {
      ...{ image: images.postgres, port: 5432, node },
      script: `while [ -e ${stoppedFile} ]; do sleep 0.2; done; ${startWithTls('/run/certificate')}`,
      environment: { POSTGRES_PASSWORD: passwords.postgres ?? kafkaPassword },
      files: {
        '/run/certificate/server.crt': text(certificates.postgres.certFile),
        '/run/certificate/server.key': text(certificates.postgres.keyFile),
        '/docker-entrypoint-initdb.d/roles.sql': rolesAndDatabases(passwords),
      },
      data: '/var/lib/postgresql',
      readiness: { exec: { command: ['pg_isready', '--host', '127.0.0.1'] } },
      cpu: '500m',
    }),
    ...storeManifests('kafka', {
      ...{ image: images.kafka, port: 9093, node },
      script: `exec bash ${broker.startScript}`,
      environment: broker.environment,
      files: { ...broker.certificates, ...broker.start({ host: `${storeHosts.kafka}:9092`, network: `${storeHosts.kafka}:9093` }) },
      readiness: { tcpSocket: { port: 9093 } },
      cpu: '250m',
    }),
  ]
}
