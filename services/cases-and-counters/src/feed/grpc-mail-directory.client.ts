import { channelCredentials, createGrpcClient, type GrpcEndpoint } from '@caseway/kit/grpc'
import { MessageServiceClient } from '@caseway/protos/mail/v1/messages'
import type { MailDirectory } from './mail-directory.js'

interface Wiring {
  peer(service: string): GrpcEndpoint
  onClose(name: string, close: () => unknown): void
}

/** mail over gRPC. */
export function grpcMailDirectory({ peer, onClose }: Wiring): MailDirectory {
  const { address, security, log } = peer('mail')
  const messages = createGrpcClient(MessageServiceClient, { address, serverName: 'mail', credentials: channelCredentials(security, log) })
  onClose('directory of messages', messages.close)
  return {
    async records({ customerId, userId, role }, { receivedIds, sentIds }) {
      const { records } = await messages.getMessages({ customerId, userId, role, receivedIds: [...receivedIds], sentIds: [...sentIds] })
      return records
    },
  }
}
