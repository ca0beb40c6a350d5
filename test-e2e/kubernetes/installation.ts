import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeCertificates } from '@caseway/install/certificates/authority.mjs'
import type { CertificateFiles } from '@caseway/kit/grpc'
import { byService, serviceNames } from '@caseway/registry'
import type { HttpClient } from '@caseway/testing'
import type { Manifest } from '../../deploy/kubernetes/src/manifest.js'
import { newSecrets } from '../../deploy/kubernetes/src/secrets.js'
import type { Account } from '../../deploy/local/src/demo/demo-file.js'
import { programs } from '../containers/images.js'
import { newOffice } from '../support/new-office.js'
import { signIn } from '../support/people.js'
import { type Cluster, createCluster } from './cluster.js'
import { namespace, writeOverlay } from './overlay.js'
import { type Passwords, storeHosts, stores, storesNamespace } from './stores.js'

const clientId = 'caseway-frontends'
const offices = 10

const namespaceOf = (name: string, labels = {}): Manifest => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })
const restricted = { 'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/warn': 'restricted' }

const secret = (name: string, stringData: Record<string, string>, type = 'Opaque'): Manifest => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name }, type, stringData },
})

/** A Secret as cert-manager writes it. */
function certificateSecret(name: string, { certFile, keyFile, caFile }: CertificateFiles): Manifest {
  const text = (file: string) => readFileSync(file, 'utf8')
  return secret(`${name}-tls`, { 'tls.crt': text(certFile), 'tls.key': text(keyFile), 'ca.crt': text(caFile) }, 'kubernetes.io/tls')
}

/** The output of `npm run secrets`, and the passwords in it. */
function secretsOfInstallation() {
  const query = 'sslmode=verify-full&sslrootcert=/run/secrets/authorities/postgresql.crt'
  const secrets = newSecrets(`${storeHosts.postgres}:5432`, query)
  const valuesOf = ({ stringData }: Manifest) => stringData as Record<string, string>
  const logins = secrets.map(valuesOf).filter(({ username }) => username)
  const passwords: Passwords = Object.fromEntries(logins.map(({ username, password }) => [username, password]))
  const kafkaPassword = secrets.map(valuesOf).find(({ KAFKA_PASSWORD }) => KAFKA_PASSWORD)?.KAFKA_PASSWORD as string
  return { secrets, passwords, kafkaPassword }
}

export interface Installation {
  readonly cluster: Cluster
  /** The folder of the applied overlay. */
  readonly overlay: string
  readonly nodes: readonly string[]
  /** Signs in an administrator of each office. */
  people(): Promise<HttpClient[]>
  remove(): Promise<void>
}

/** Installs the platform as described in deploy/kubernetes/README.md, with PostgreSQL and Kafka on the first node. */
export async function install(): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'caseway-kubernetes-'))
  const cluster = createCluster(namespace)
  const beside = createCluster(storesNamespace)
  const nodes = await schedulableNodes(cluster)
  const certificates = await writeCertificates(join(folder, 'certificates'), {
    ...byService(() => []),
    ...{ gateway: [], caseway: [], postgres: [storeHosts.postgres], kafka: [storeHosts.kafka] },
  })
  const { secrets, passwords, kafkaPassword } = secretsOfInstallation()
  const authority = { 'ca.crt': readFileSync(certificates.gateway.caFile, 'utf8') }

  await cluster.apply([namespaceOf(namespace, restricted), namespaceOf(storesNamespace)])
  await beside.apply(stores({ certificates, passwords, kafkaPassword, node: nodes[0] as string }))
  await cluster.apply([
    ...secrets,
    ...programs.map((name) => certificateSecret(name, certificates[name])),
    ...['postgresql-ca', 'kafka-cluster-ca-cert'].map((name) => secret(name, authority)),
  ])
  await beside.kubectl('wait', '--for=condition=Ready', 'pod', '--all', '--timeout=3m')

  const overlay = writeOverlay(folder)
  await cluster.kubectl('apply', '--kustomize', overlay)
  const command = await commandLine(cluster)
  await command('topics', 'create')
  for (const name of [...serviceNames, 'gateway']) await cluster.rolledOut(name, '10m')

  const accounts = await found(command, await gatewayAddress(cluster))
  return {
    cluster,
    overlay,
    nodes,
    async people() {
      const address = await gatewayAddress(cluster)
      const people: HttpClient[] = []
      // One after the other, because auth limits concurrent password checks per address.
      for (const account of accounts) people.push((await signIn(address, clientId, account)).api)
      return people
    },
    async remove() {
      await cluster.kubectl('delete', 'namespace', namespace, storesNamespace, '--wait=false')
      rmSync(folder, { recursive: true })
    },
  }
}

interface Node {
  metadata: { name: string }
  spec: { unschedulable?: boolean; taints?: { effect: string }[] }
}

async function schedulableNodes(cluster: Cluster): Promise<string[]> {
  const { items } = await cluster.json<{ items: Node[] }>('get', 'nodes')
  const free = items.filter(({ spec }) => !spec.unschedulable && !spec.taints?.some(({ effect }) => effect.startsWith('No')))
  if (free.length < 2) throw new Error(`One of two nodes is drained, and the cluster has ${free.length} that take pods.`)
  return free.map(({ metadata }) => metadata.name)
}

/** Starts the pod of the command line, and returns a function that runs a command in it. */
async function commandLine(cluster: Cluster) {
  await cluster.kubectl('scale', 'deployment/caseway', '--replicas=1')
  await cluster.rolledOut('caseway', '3m')
  return (...args: string[]) => cluster.kubectl('exec', 'deployment/caseway', '--', 'node', 'dist/main.js', ...args)
}

/** The URL of the gateway: its Service address, which is reachable only from nodes of the cluster, or `KUBERNETES_GATEWAY_URL`. */
async function gatewayAddress(cluster: Cluster): Promise<string> {
  const { spec } = await cluster.json<{ spec: { clusterIP: string } }>('get', 'service', 'gateway')
  return process.env.KUBERNETES_GATEWAY_URL ?? `http://${spec.clusterIP}:3000`
}

/** Creates ten offices, so that the load comes from ten people. */
async function found(command: (...args: string[]) => Promise<string>, address: string): Promise<Account[]> {
  await command('application', 'create', '--client-id', clientId, '--name', 'Frontends', '--kind', 'first_party')
  const accounts: Account[] = []
  for (let number = 1; number <= offices; number++) {
    const administrator = await newOffice(command, `Office ${number}`, `administrator@office-${number}.example`)
    accounts.push(await withOwnPassword(address, administrator))
  }
  return accounts
}

/** Changes the initial password, as the first sign-in requires. */
async function withOwnPassword(address: string, account: Account): Promise<Account> {
  const password = randomBytes(12).toString('base64url')
  const { api } = await signIn(address, clientId, account)
  const { status, text } = await api.put('/user/me', { User: { password, current_password: account.password } })
  if (status !== 200) throw new Error(`${account.username} cannot change the password: ${status} ${text}`)
  return { ...account, password }
}
