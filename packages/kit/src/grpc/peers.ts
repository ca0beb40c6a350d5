import type { ServiceDefinition } from '@grpc/grpc-js'
import { createGrpcClient, type GrpcClient, type GrpcClientOptions, type GrpcEndpoint } from './client.js'
import { channelCredentials } from './security.js'

/** Gives a service access to the others over gRPC. */
export interface Peers {
  /**
   * The configured endpoint of another service. On the command line the address may be missing; then every call rejects with `unavailable`.
   */
  peer(service: string): GrpcEndpoint
  /** Registers a function that is called when the service stops: after its started parts have stopped, and before the database is closed. */
  onClose(name: string, close: () => unknown): void
}

/**
 * Returns a function that creates clients (`createGrpcClient`) of another service. They share their connections, and are closed with the calling service.
 * @param service the name of the called service, which its certificate must carry
 */
export function peerClients({ peer, onClose }: Peers, service: string) {
  const { address, security, log } = peer(service)
  const endpoint = { address, serverName: service, credentials: channelCredentials(security, log) }
  return <const Service extends ServiceDefinition>(
    Generated: { readonly service: Service; readonly serviceName: string },
    options?: Pick<GrpcClientOptions, 'deadlineMs'>,
  ): GrpcClient<Service> => {
    const client = createGrpcClient(Generated, { ...endpoint, ...options })
    onClose(`${Generated.serviceName} of ${service}`, client.close)
    return client
  }
}
