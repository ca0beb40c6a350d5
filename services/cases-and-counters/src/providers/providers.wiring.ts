import { type Referable, references } from '@caseway/kit/database'
import { resourceRoutes } from '@caseway/kit/http'
import { shownRecords } from '@caseway/kit/objects'
import { SnapshotServiceService } from '@caseway/protos/cases_and_counters/v1/snapshot'
import type { Db } from '../database.js'
import { personSnapshotGrpc } from './person-snapshot.grpc.js'
import { personSnapshotRepository } from './person-snapshot.repository.js'
import { providerRepository } from './provider.repository.js'
import { providerResource } from './provider.resource.js'
import { providerPersonRepository } from './provider-person.repository.js'
import { providerPersonResource } from './provider-person.resource.js'
import { providerPersonService } from './provider-person.service.js'

/** The providers of offices, and their contact persons. */
export function wireProviders(db: Db, initiators: Referable) {
  const providers = providerRepository(db)
  const named = references({ provider_id: providers, issue_initiator_id: initiators })
  const persons = providerPersonService(providerPersonRepository(db, providers, named), named)
  return {
    providers,
    shown: shownRecords(providerPersonResource, persons),
    snapshot: [SnapshotServiceService, personSnapshotGrpc(personSnapshotRepository(db))] as const,
    routes: [resourceRoutes(providerResource, providers), resourceRoutes(providerPersonResource, persons)],
  }
}
