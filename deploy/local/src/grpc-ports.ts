import { grpcAddressVariable, services, variableOf } from '@caseway/registry'
import { holdFreePort, host } from './held-port.js'
import type { Addresses } from './services.js'

/** The ports on which the services of this process answer gRPC. */
export interface GrpcPorts {
  /** In the variables of both sides. */
  readonly variables: Addresses
  /** Frees the port of a service, which listens there at once. */
  release(service: string): Promise<void>
}

/** Services may ask each other, so each is told where the others will answer before these are started. Until then the ports are held. */
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
