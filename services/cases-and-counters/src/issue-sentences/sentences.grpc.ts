import type { Id } from '@caseway/kit/caller'
import { unary } from '@caseway/kit/grpc'
import type { SentenceServiceServer } from '@caseway/protos/cases_and_counters/v1/sentences'
import type { AttachedFile } from '../files/attached-file.js'
import type { SentenceRow } from './issue-sentence.resource.js'

interface SentSentences {
  find(customerId: Id, id: Id): Promise<SentSentence | null>
}
interface SentSentence extends SentenceRow {
  readonly userClientId: Id | null
  /** The subject of the case. */
  readonly subject: string
  readonly files: readonly AttachedFile[]
}

export const sentencesGrpc = ({ find }: SentSentences): SentenceServiceServer => ({
  getSentSentence: unary(async ({ customerId, sentenceId }) => {
    const found = await find(customerId, sentenceId)
    if (!found) return { sentence: undefined }
    const { id, issueId, subject, body, speakerId, userClientId, files } = found
    const available = files.filter(({ commonFile }) => !commonFile.fileNotExists)
    return {
      sentence: {
        ...{ id, issueId, subject, body, speakerId: speakerId ?? 0n, clientId: userClientId ?? undefined },
        files: available.map(({ commonFileId, commonFile }) => ({ commonFileId, pending: commonFile.virusScanStatus === 'pending' })),
      },
    }
  }),
})
