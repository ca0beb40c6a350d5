import type { ServiceDefinition } from '@grpc/grpc-js'
import { createGrpcClient, type GrpcClient, type GrpcClientOptions, type GrpcEndpoint } from './client.js'
import { channelCredentials } from './security.js'

/** How a service reaches the others. */
export interface Peers {
  /**
   * Where another service answers gRPC, as the configuration says. Without an address, which only the command line may lack, every call ends
   * with `unavailable`.
   */
  peer(service: string): GrpcEndpoint
  /** Closes what the service has opened: after all that is started has stopped, and before the database. */
  onClose(name: string, close: () => unknown): void
}

/**
 * Returns a function that makes clients (`createGrpcClient`) of another service. They share their connections, and are closed with the calling service.
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
