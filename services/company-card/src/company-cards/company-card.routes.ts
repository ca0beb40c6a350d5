import { experts } from '@caseway/kit/caller'
import { action, ok, type Routes, resourceRoutes, singletonRoute } from '@caseway/kit/http'
import { manageRight } from './company-card.js'
import { companyCardResource } from './company-card.resource.js'
import type { CompanyCardService } from './company-card.service.js'

export const companyCardRoutes = ({ get, create, change, own, submit }: CompanyCardService): Routes => [
  singletonRoute(companyCardResource, { path: '', operationId: 'getOwnCompanyCard' }, own),
  resourceRoutes(companyCardResource, { get, create, change }),
  action(
    companyCardResource,
    {
      ...{ method: 'PUT', path: ':id/submit', operationId: 'submitCompanyCard' },
      summary: 'Submits the card for approval by the operator of the platform.',
      versioned: true,
      answers: { 200: ok },
      errors: [409],
      right: manageRight,
      roles: experts,
    },
    ({ caller, id, expected }) => submit(caller, id, expected),
  ),
]
