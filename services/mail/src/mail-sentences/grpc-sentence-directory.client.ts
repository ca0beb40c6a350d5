import { channelCredentials, createGrpcClient, type GrpcEndpoint } from '@caseway/kit/grpc'
import { SentenceServiceClient } from '@caseway/protos/cases_and_counters/v1/sentences'
import type { SentenceDirectory } from './sentence-directory.js'

interface Wiring {
  peer(service: string): GrpcEndpoint
  onClose(name: string, close: () => unknown): void
}

/** cases-and-counters over gRPC. */
export function grpcSentenceDirectory({ peer, onClose }: Wiring): SentenceDirectory {
  const { address, security, log } = peer('cases-and-counters')
  const credentials = channelCredentials(security, log)
  const sentences = createGrpcClient(SentenceServiceClient, { address, serverName: 'cases-and-counters', credentials })
  onClose('directory of sentences', sentences.close)
  return {
    async find(customerId, sentenceId) {
      const { sentence } = await sentences.getSentSentence({ customerId, sentenceId })
      return sentence && { ...sentence, clientId: sentence.clientId ?? null }
    },
  }
}
