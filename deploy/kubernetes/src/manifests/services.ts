import { labelsOf, type Manifest, selectorOf } from '../manifest.js'
import { headlessOf, type Workload } from '../workloads.js'

const service = (name: string, workload: string, spec: object): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels: labelsOf(workload) },
  spec: { selector: selectorOf(workload), ...spec },
})

const portOf = (name: string, port: number) => ({ name, port, targetPort: name })

/** HTTP under one address; gRPC under the addresses of all copies, between which the client itself divides its calls. */
export function servicesOf({ name, ports }: Workload): Manifest[] {
  const { http, 'client-http': clientHttp, grpc } = ports
  const web = [...(http ? [portOf('http', http)] : []), ...(clientHttp ? [portOf('client-http', clientHttp)] : [])]
  return [
    service(name, name, { ports: web }),
    ...(grpc ? [service(headlessOf(name), name, { clusterIP: 'None', ports: [portOf('grpc', grpc)] })] : []),
  ]
}
