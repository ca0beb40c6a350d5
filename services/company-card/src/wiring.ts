import { rememberedRights } from '@caseway/kit/rights'
import { defineService } from '@caseway/kit/service'
import { authDirectory } from '@caseway/people'
import { companyCardRepository } from './company-cards/company-card.repository.js'
import { companyCardRoutes } from './company-cards/company-card.routes.js'
import { companyCardService } from './company-cards/company-card.service.js'
import { reviewRepository } from './company-cards/review.repository.js'
import { reviewMetrics } from './company-cards/review-metrics.js'
import { config } from './config.js'
import { PrismaClient } from './generated/client.js'
import { officeRepository } from './offices/office.repository.js'
import { publishedCardRepository } from './published-cards/published-card.repository.js'
import { publishedCardRoutes } from './published-cards/published-card.routes.js'

export const companyCard = defineService({
  name: 'company-card',
  config,
  client: PrismaClient,

  /** Who uses whom. */
  wire({ db, config, peer, onClose, metrics }) {
    const auth = authDirectory({ peer, onClose })
    const published = publishedCardRepository(db)
    const reviews = reviewRepository(db, published.publish)
    reviewMetrics(metrics, reviews.waitingSince)
    const offices = officeRepository(db, auth, config.defaultTimeZone)

    return {
      routes: {
        expert: [companyCardRoutes(companyCardService(companyCardRepository(db), offices))],
        client: [],
        public: [publishedCardRoutes(published)],
      },
      timeZoneOf: offices.timeZoneOf,
      hasRight: rememberedRights(auth.rightsOf),
      copies: [offices.copy],
      administration: { reviews },
    }
  },
})
