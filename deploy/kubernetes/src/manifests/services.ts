import { labelsOf, type Manifest, selectorOf } from '../manifest.js'
import { headlessOf, type Workload } from '../workloads.js'

const service = (name: string, workload: string, spec: object): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels: labelsOf(workload) },
  spec: { selector: selectorOf(workload), ...spec },
})

const portOf = (name: string, port: number) => ({ name, port, targetPort: name })

/** HTTP has one Service address; gRPC has a headless Service, because the client balances its calls over all copies itself. */
export function servicesOf({ name, ports }: Workload): Manifest[] {
  const { http, 'client-http': clientHttp, grpc } = ports
  const web = [...(http ? [portOf('http', http)] : []), ...(clientHttp ? [portOf('client-http', clientHttp)] : [])]
  return [
    service(name, name, { ports: web }),
    ...(grpc ? [service(headlessOf(name), name, { clusterIP: 'None', ports: [portOf('grpc', grpc)] })] : []),
  ]
}
