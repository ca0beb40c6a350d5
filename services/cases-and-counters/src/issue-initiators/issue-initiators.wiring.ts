import { resourceRoutes } from '@caseway/kit/http'
import type { Links } from '@caseway/people'
import type { Db } from '../database.js'
import { issueInitiatorRepository } from './issue-initiator.repository.js'
import { issueInitiatorResource } from './issue-initiator.resource.js'
import { issueInitiatorService } from './issue-initiator.service.js'

/** The contacts from whom cases come. */
export function wireIssueInitiators(db: Db, links: Links) {
  const initiators = issueInitiatorRepository(db)
  return { initiators, routes: [resourceRoutes(issueInitiatorResource, issueInitiatorService(initiators, links))] }
}
