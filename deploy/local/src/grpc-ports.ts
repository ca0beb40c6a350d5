import { grpcAddressVariable, services, variableOf } from '@caseway/registry'
import { host, reserveFreePort } from './reserved-port.js'
import type { Addresses } from './services.js'

/** The gRPC ports of the services in this process. */
export interface GrpcPorts {
  /** The variables with the ports, for servers and clients. */
  readonly variables: Addresses
  /** Frees the port of a service, which must listen there immediately. */
  release(service: string): Promise<void>
}

/** Reserves the gRPC ports of all services, because each is started with the addresses of the others, which may not have started. */
export async function reserveGrpcPorts(): Promise<GrpcPorts> {
  const reserving = services.filter(({ grpc }) => grpc).map(async ({ name }) => ({ name, reserved: await reserveFreePort() }))
  const all = await Promise.all(reserving)
  return {
    variables: Object.fromEntries(
      all.flatMap(({ name, reserved: { port } }) => [
        [variableOf(name, 'GRPC_PORT'), String(port)],
        [grpcAddressVariable(name), `ipv4:${host}:${port}`],
      ]),
    ),
    release: async (service) => all.find(({ name }) => name === service)?.reserved.release(),
  }
}
