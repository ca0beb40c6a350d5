import { type Peers, peerClients } from '@caseway/kit/grpc'
import { MessageServiceClient } from '@caseway/protos/mail/v1/messages'
import type { MailDirectory } from './mail-directory.js'

/** The mail service over gRPC. */
export function grpcMailDirectory(peers: Peers): MailDirectory {
  const messages = peerClients(peers, 'mail')(MessageServiceClient)
  return {
    async records({ customerId, userId, role }, { receivedIds, sentIds }) {
      const { records } = await messages.getMessages({ customerId, userId, role, receivedIds: [...receivedIds], sentIds: [...sentIds] })
      return records
    },
  }
}
