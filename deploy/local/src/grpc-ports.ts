import { grpcAddressVariable, services, variableOf } from '@caseway/registry'
import { holdFreePort, host } from './held-port.js'
import type { Addresses } from './services.js'

/** The gRPC ports of the services in this process. */
export interface GrpcPorts {
  /** The variables with the ports, for servers and clients. */
  readonly variables: Addresses
  /** Frees the port of a service, which must listen there immediately. */
  release(service: string): Promise<void>
}

/** Reserves the gRPC ports of all services, because each is started with the addresses of the others, which may not have started. */
export async function holdGrpcPorts(): Promise<GrpcPorts> {
  const holding = services.filter(({ grpc }) => grpc).map(async ({ name }) => ({ name, held: await holdFreePort() }))
  const all = await Promise.all(holding)
  return {
    variables: Object.fromEntries(
      all.flatMap(({ name, held: { port } }) => [
        [variableOf(name, 'GRPC_PORT'), String(port)],
        [grpcAddressVariable(name), `ipv4:${host}:${port}`],
      ]),
    ),
    release: async (service) => all.find(({ name }) => name === service)?.held.release(),
  }
}
