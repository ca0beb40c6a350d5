import { type HasRight, resourceRoutes } from '@caseway/kit/http'
import { shownRecords } from '@caseway/kit/objects'
import { SentenceServiceService } from '@caseway/protos/cases_and_counters/v1/sentences'
import type { Db } from '../database.js'
import { clientSentenceResource } from './client-sentence.resource.js'
import { clientSentenceService } from './client-sentence.service.js'
import { initiatorSentenceRepository } from './initiator-sentence.repository.js'
import { issueSentenceRepository } from './issue-sentence.repository.js'
import { issueSentenceResource } from './issue-sentence.resource.js'
import { issueSentenceService } from './issue-sentence.service.js'
import type { SentenceParts } from './issue-sentence-case.js'
import { linkableSentenceRepository } from './linkable-sentence.repository.js'
import { linkableSentences } from './linkable-sentences.service.js'
import { sentSentenceRepository } from './sent-sentence.repository.js'
import { sentencesGrpc } from './sentences.grpc.js'

/** The messages in cases: questions of clients, and replies of employees with their review. */
export function wireIssueSentences(db: Db, { hasRight, ...parts }: SentenceParts & { hasRight: HasRight }) {
  const sentences = issueSentenceRepository(db, parts)
  const initiatorSentences = initiatorSentenceRepository(db, parts)
  return {
    /** For the first sentences of cases that the platform opens. */
    sentences: initiatorSentences,
    routes: resourceRoutes(issueSentenceResource, issueSentenceService(sentences, hasRight)),
    grpc: [SentenceServiceService, sentencesGrpc(sentSentenceRepository(db, parts.attached))] as const,
    shown: shownRecords(issueSentenceResource, sentences),
    linkable: linkableSentences(linkableSentenceRepository(db), hasRight),
    clientRoutes: resourceRoutes(clientSentenceResource, clientSentenceService(initiatorSentences)),
  }
}
