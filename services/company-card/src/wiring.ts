import { resourceRoutes } from '@caseway/kit/http'
import { defineService } from '@caseway/kit/service'
import { companyCardRepository } from './company-cards/company-card.repository.js'
import { companyCardResource } from './company-cards/company-card.resource.js'
import { config } from './config.js'
import { PrismaClient } from './generated/client.js'

export const companyCard = defineService({
  name: 'company-card',
  config,
  client: PrismaClient,

  /** Who uses whom. */
  wire({ db, config }) {
    return {
      routes: { expert: [resourceRoutes(companyCardResource, companyCardRepository(db))], client: [] },
      // The same for every office, until the service has copies of the offices (packages/people).
      timeZoneOf: async () => config.defaultTimeZone,
      administration: {},
    }
  },
})
