import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { grpcAddressVariable, services, variableOf } from '@caseway/registry'
import { host } from './ports.js'
import type { Addresses } from './services.js'

/** The ports on which the services of this process answer gRPC. */
export interface GrpcPorts {
  /** In the variables of both sides. */
  readonly variables: Addresses
  /** Frees the port of a service, which listens there at once. */
  release(service: string): Promise<void>
}

/**
 * Services may ask each other, so each is told where the others will answer before these are started. Until then the ports are held, so that no
 * connection of this machine is given one of them; whoever asks meanwhile is hung up on.
 */
export async function holdGrpcPorts(): Promise<GrpcPorts> {
  const holding = services
    .filter(({ grpc }) => grpc)
    .map(async ({ name }) => {
      const server = createServer((socket) => socket.destroy()).listen(0, host)
      await once(server, 'listening')
      return { name, server, port: (server.address() as AddressInfo).port }
    })
  const held = await Promise.all(holding)
  return {
    variables: Object.fromEntries(
      held.flatMap(({ name, port }) => [
        [variableOf(name, 'GRPC_PORT'), String(port)],
        [grpcAddressVariable(name), `ipv4:${host}:${port}`],
      ]),
    ),
    async release(service) {
      const server = held.find(({ name }) => name === service)?.server
      if (!server?.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}
