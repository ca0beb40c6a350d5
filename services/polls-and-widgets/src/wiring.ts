import { resourceRoutes } from '@caseway/kit/http'
import { rememberedRights } from '@caseway/kit/rights'
import { defineService } from '@caseway/kit/service'
import { authDirectory, copiedOffices } from '@caseway/people'
import { chatWidgetRepository } from './chat-widgets/chat-widget.repository.js'
import { chatWidgetResource } from './chat-widgets/chat-widget.resource.js'
import { config } from './config.js'
import { PrismaClient } from './generated/client.js'
import { wirePolls } from './polls/polls.wiring.js'

export const pollsAndWidgets = defineService({
  name: 'polls-and-widgets',
  config,
  client: PrismaClient,

  /** Who uses whom. */
  wire({ db, config, peer, onClose }) {
    const auth = authDirectory({ peer, onClose })
    const offices = copiedOffices(db, auth, config.defaultTimeZone)
    const chatWidgets = chatWidgetRepository(db)
    const polls = wirePolls(db, chatWidgets)

    return {
      routes: {
        expert: [polls.routes, resourceRoutes(chatWidgetResource, chatWidgets)],
        client: [],
      },
      timeZoneOf: offices.timeZoneOf,
      hasRight: rememberedRights(auth.rightsOf),
      copies: [offices.copy],
      administration: {},
    }
  },
})
