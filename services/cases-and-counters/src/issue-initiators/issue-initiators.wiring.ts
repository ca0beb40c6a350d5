import { resourceRoutes } from '@caseway/kit/http'
import type { Links } from '@caseway/people'
import { ContactServiceService } from '@caseway/protos/cases_and_counters/v1/contacts'
import type { Db } from '../database.js'
import { casePartyRepository } from './case-party.repository.js'
import { contactsGrpc } from './contacts.grpc.js'
import { issueInitiatorRepository } from './issue-initiator.repository.js'
import { issueInitiatorResource } from './issue-initiator.resource.js'
import { issueInitiatorService } from './issue-initiator.service.js'
import { knownContactRepository } from './known-contact.repository.js'

/** The business cards of contacts from whom cases come. */
export function wireIssueInitiators(db: Db, links: Links) {
  const initiators = issueInitiatorRepository(db)
  const service = issueInitiatorService(initiators, links)
  return {
    initiators,
    contactsOf: knownContactRepository(db).ofClient,
    routes: [resourceRoutes(issueInitiatorResource, service)],
    grpc: [ContactServiceService, contactsGrpc(service, casePartyRepository(db))] as const,
  }
}
