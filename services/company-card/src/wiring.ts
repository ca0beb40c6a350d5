import { objectService, recordService, shownRecords } from '@caseway/kit/objects'
import { rememberedRights } from '@caseway/kit/rights'
import { defineService } from '@caseway/kit/service'
import { authDirectory } from '@caseway/people'
import { callersOf } from '@caseway/registry'
import { companyCardRepository } from './company-cards/company-card.repository.js'
import { companyCardResource } from './company-cards/company-card.resource.js'
import { companyCardRoutes } from './company-cards/company-card.routes.js'
import { companyCardService } from './company-cards/company-card.service.js'
import { linkableCards } from './company-cards/linkable-cards.service.js'
import { reviewRepository } from './company-cards/review.repository.js'
import { reviewMetrics } from './company-cards/review-metrics.js'
import { config } from './config.js'
import { PrismaClient } from './generated/client.js'
import { officeFiles } from './logos/files.client.js'
import { logoRepository } from './logos/logo.repository.js'
import { logoRoutes, publishedLogoRoutes } from './logos/logo.routes.js'
import { logoService } from './logos/logo.service.js'
import { officeRepository } from './offices/office.repository.js'
import { publishedCardRepository } from './published-cards/published-card.repository.js'
import { publishedCardRoutes } from './published-cards/published-card.routes.js'
import { tables } from './tables.js'

export const companyCard = defineService({
  name: 'company-card',
  config,
  client: PrismaClient,
  tables,

  /** Connects the modules. */
  wire({ db, config, peer, onClose, metrics }) {
    const auth = authDirectory({ peer, onClose })
    const offices = officeRepository(db, auth, config.defaultTimeZone)
    const published = publishedCardRepository(db)
    const cardRows = companyCardRepository(db)
    const cards = companyCardService(cardRows, offices)
    const kept = logoRepository(db)
    const logos = logoService(kept, { cards, published, files: officeFiles({ peer, onClose }) })
    const reviews = reviewRepository(db, async (tx, card) => {
      await kept.publish(tx, card.id)
      await published.publish(tx, card)
    })
    reviewMetrics(metrics, reviews.waitingSince)
    const hasRight = rememberedRights(auth.rightsOf)

    return {
      routes: {
        expert: [companyCardRoutes(cards), logoRoutes(logos)],
        client: [],
        public: [publishedCardRoutes(published), publishedLogoRoutes(logos)],
      },
      timeZoneOf: offices.timeZoneOf,
      hasRight,
      grpc: {
        callers: callersOf('company-card'),
        services: [
          objectService({ CompanyCard: linkableCards(cardRows, hasRight) }),
          recordService(offices.timeZoneOf, shownRecords(companyCardResource, cardRows)),
        ],
      },
      copies: [offices.copy],
      administration: { reviews },
    }
  },
})
