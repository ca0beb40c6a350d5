import type { Consumer } from '@caseway/kit/events'
import type { JobHandler } from '@caseway/kit/jobs'
import type { Db } from '../database.js'
import type { CaseDirectory } from './case-directory.js'
import { caseLinks } from './case-link.job.js'
import type { SentCases } from './linked-case.js'
import { linkedCaseRepository, type PublishedLinks } from './linked-case.repository.js'
import { linkedCaseService } from './linked-case.service.js'
import { removedCases } from './removed-cases.consumer.js'

/** Links messages to cases. */
export function wireLinkedCases(db: Db, cases: CaseDirectory, sentCases: SentCases, published: PublishedLinks) {
  const rows = linkedCaseRepository(db, published)
  const consumers: readonly Consumer[] = [removedCases(rows)]
  const jobs: readonly JobHandler<unknown>[] = caseLinks({ cases, rows })
  return { linkedCases: linkedCaseService(cases, rows, sentCases), consumers, jobs }
}
