import { rememberedRights } from '@caseway/kit/rights'
import { defineService } from '@caseway/kit/service'
import { authDirectory, copiedOffices } from '@caseway/people'
import { wireChatWidgets } from './chat-widgets/chat-widgets.wiring.js'
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
    const chatWidgets = wireChatWidgets(db)
    const polls = wirePolls(db, chatWidgets.widgets)

    return {
      routes: {
        expert: [polls.routes, chatWidgets.routes],
        client: [],
        public: [chatWidgets.publicRoutes],
      },
      timeZoneOf: offices.timeZoneOf,
      hasRight: rememberedRights(auth.rightsOf),
      copies: [offices.copy],
      administration: {},
    }
  },
})
