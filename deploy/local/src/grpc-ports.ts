import { once } from 'node:events'
import { createServer } from 'node:net'
import { freePort } from '@caseway/install/free-port.mjs'
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
 * other program listens on one of them; whoever asks meanwhile is hung up on.
 */
export async function holdGrpcPorts(): Promise<GrpcPorts> {
  const holding = services
    .filter(({ grpc }) => grpc)
    .map(async ({ name }) => {
      const port = await freePort()
      const server = createServer((socket) => socket.destroy()).listen(port, host)
      await once(server, 'listening')
      return { name, server, port }
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
