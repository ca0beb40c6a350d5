import type { Employee } from '@caseway/kit/caller'
import type { BatchStatement } from '@caseway/kit/database'
import { resourceRoutes } from '@caseway/kit/http'
import type { Db } from '../database.js'
import type { Fact } from '../notifications/notification.js'
import { clientSentenceResource } from './client-sentence.resource.js'
import { clientSentenceService } from './client-sentence.service.js'
import { issueSentenceRepository } from './issue-sentence.repository.js'
import { issueSentenceResource } from './issue-sentence.resource.js'
import { issueSentenceService } from './issue-sentence.service.js'
import type { CasesOfSentences } from './issue-sentence-case.js'

export interface SentenceParts {
  readonly issues: CasesOfSentences
  readonly notify: (fact: Fact) => BatchStatement
  readonly hasRight: (caller: Employee, right: string) => Promise<boolean>
}

/** Messages in cases: what clients ask, and the replies of employees with their review. */
export function wireIssueSentences(db: Db, { issues, notify, hasRight }: SentenceParts) {
  const sentences = issueSentenceRepository(db, issues, notify)
  return {
    routes: resourceRoutes(issueSentenceResource, issueSentenceService(sentences, hasRight)),
    clientRoutes: resourceRoutes(clientSentenceResource, clientSentenceService(sentences)),
  }
}
