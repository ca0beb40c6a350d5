import { type Peers, peerClients } from '@caseway/kit/grpc'
import { SentenceServiceClient } from '@caseway/protos/cases_and_counters/v1/sentences'
import type { SentenceDirectory } from './sentence-directory.js'

/** cases-and-counters over gRPC. */
export function grpcSentenceDirectory(peers: Peers): SentenceDirectory {
  const sentences = peerClients(peers, 'cases-and-counters')(SentenceServiceClient)
  return {
    async find(customerId, sentenceId) {
      const { sentence } = await sentences.getSentSentence({ customerId, sentenceId })
      return sentence && { ...sentence, clientId: sentence.clientId ?? null }
    },
  }
}
