import { resourceRoutes } from '@caseway/kit/http'
import { defineService } from '@caseway/kit/service'
import { chatWidgetRepository } from './chat-widgets/chat-widget.repository.js'
import { chatWidgetResource } from './chat-widgets/chat-widget.resource.js'
import { config } from './config.js'
import { PrismaClient } from './generated/client.js'
import { pollRepository } from './polls/poll.repository.js'
import { pollResource } from './polls/poll.resource.js'

export const pollsAndWidgets = defineService({
  name: 'polls-and-widgets',
  config,
  client: PrismaClient,

  /** Who uses whom. */
  wire({ db, config }) {
    return {
      routes: {
        expert: [resourceRoutes(pollResource, pollRepository(db)), resourceRoutes(chatWidgetResource, chatWidgetRepository(db))],
        client: [],
      },
      // The same for every office, until the service has copies of the offices (packages/people).
      timeZoneOf: async () => config.defaultTimeZone,
      administration: {},
    }
  },
})
