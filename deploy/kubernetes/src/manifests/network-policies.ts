import type { Outside } from '@caseway/registry'
import { type Component, labelsOf, type Manifest, selectorOf } from '../manifest.js'
import { callersOf, callsOf, type PortName, type Workload, workloads } from '../workloads.js'
import { migrationOf } from './migration.js'

const tcp = (...ports: number[]) => ports.map((port) => ({ protocol: 'TCP', port }))

/** Egress to public addresses only: no office may make a service connect to non-public ones (RFC 6890). */
const publicAddresses = [
  {
    ipBlock: {
      cidr: '0.0.0.0/0',
      except: ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
    },
  },
  { ipBlock: { cidr: '::/0', except: ['::1/128', 'fc00::/7', 'fe80::/10'] } },
]

const nameServers = {
  to: [{ namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }],
  ports: [
    { protocol: 'UDP', port: 53 },
    { protocol: 'TCP', port: 53 },
  ],
}

/** Only an overlay knows the addresses of the stores, so the base restricts ports alone; an overlay may add `to`. */
const database = { ports: tcp(5432) }
const kafka = { ports: tcp(9092, 9093, 9094) }

const outside: Readonly<Record<Outside, object>> = {
  smtp: { ports: tcp(25, 465, 587) },
  'mail-servers': { to: publicAddresses, ports: tcp(25, 110, 143, 465, 587, 993, 995) },
  web: { to: publicAddresses, ports: tcp(443) },
  clamd: { ports: tcp(3310) },
  'object-storage': { ports: tcp(443, 9000) },
}

export const policy = (name: string, workload: string, component: Component, ingress: object[], egress: object[]): Manifest => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, labels: labelsOf(workload, component) },
  spec: { podSelector: { matchLabels: selectorOf(workload, component) }, policyTypes: ['Ingress', 'Egress'], ingress, egress },
})

const podsOf = (workload: string, component?: Component) => ({ podSelector: { matchLabels: selectorOf(workload, component) } })

/** The name of the operator's command line, which calls services over gRPC. */
export const commandLine = 'caseway'

const operator = podsOf(commandLine, 'command-line')

function ingressOf({ name, ports }: Workload): object[] {
  if (name === 'gateway') return [{ ports: [{ port: 'http' }, { port: 'client-http' }] }]
  const callers = (port: PortName) => callersOf(name, port).map((caller) => podsOf(caller))
  const allow = (port: PortName, from: object[]) => ({ from, ports: [{ port }] })
  return [allow('http', callers('http')), ...(ports.grpc ? [allow('grpc', [...callers('grpc'), operator])] : [])]
}

function egressOf(workload: Workload): object[] {
  const calls = callsOf(workload).map(({ to, port }) => ({ to: [podsOf(to)], ports: tcp(portOf(to, port)) }))
  const stores = workload.migration ? [database, kafka] : [kafka]
  return [nameServers, ...stores, ...calls, ...workload.reaches.map((kind) => outside[kind])]
}

/** The egress rules of the command line: databases, Kafka, object storage, and every service with gRPC. */
export function egressTo(services: readonly Workload[]): object[] {
  const answering = services.flatMap(({ name, ports: { grpc } }) => (grpc ? [{ to: [podsOf(name)], ports: tcp(grpc) }] : []))
  return [nameServers, database, kafka, outside['object-storage'], ...answering]
}

const portOf = (name: string, port: PortName) => workloads.find((workload) => workload.name === name)?.ports[port] as number

/** The network policies of a workload and of its migration Job: only the declared connections are allowed. */
export function networkPolicies(workload: Workload): Manifest[] {
  const { name, migration } = workload
  return [
    policy(name, name, 'server', ingressOf(workload), egressOf(workload)),
    ...(migration ? [policy(migrationOf(name), name, 'migration', [], [nameServers, database])] : []),
  ]
}
