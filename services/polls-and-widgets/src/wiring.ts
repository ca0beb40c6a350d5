import { recordService } from '@caseway/kit/objects'
import { rememberedRights } from '@caseway/kit/rights'
import { defineService } from '@caseway/kit/service'
import { authDirectory, copiedOffices } from '@caseway/people'
import { callersOf } from '@caseway/registry'
import { wireChatWidgets, wirePublicWidgets } from './chat-widgets/chat-widgets.wiring.js'
import { config } from './config.js'
import { PrismaClient } from './generated/client.js'
import { wirePollAnswers } from './poll-answers/poll-answers.wiring.js'
import { wirePolls } from './polls/polls.wiring.js'
import { wireResults } from './results/results.wiring.js'
import { tables } from './tables.js'
import { widgetScript } from './widget-script/widget-script.client.js'
import { widgetScriptRoutes } from './widget-script/widget-script.routes.js'

export const pollsAndWidgets = defineService({
  name: 'polls-and-widgets',
  config,
  client: PrismaClient,
  tables,

  /** Connects the modules. */
  wire({ db, config, peer, onClose, log }) {
    const auth = authDirectory({ peer, onClose })
    const offices = copiedOffices(db, auth, config.defaultTimeZone)
    const { widgets, ...ofWidgets } = wireChatWidgets(db)
    const { polls, published, ...ofPolls } = wirePolls(db, widgets)
    const { counts, ...ofResults } = wireResults(db, polls, published)
    const answers = wirePollAnswers(db, { polls: published, counts, config, log, onClose })

    return {
      routes: {
        expert: [ofPolls.routes, ofResults.routes, answers.routes, ofWidgets.routes],
        client: [],
        public: [ofPolls.publicRoutes, answers.publicRoutes, wirePublicWidgets(widgets, published), widgetScriptRoutes(widgetScript)],
      },
      timeZoneOf: offices.timeZoneOf,
      hasRight: rememberedRights(auth.rightsOf),
      grpc: { callers: callersOf('polls-and-widgets'), services: [recordService(offices.timeZoneOf, answers.shown)] },
      copies: [offices.copy],
      retention: answers.retention,
      administration: {},
    }
  },
})
