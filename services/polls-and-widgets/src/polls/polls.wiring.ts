import { type Referable, references } from '@caseway/kit/database'
import { resourceRoutes } from '@caseway/kit/http'
import type { Db } from '../database.js'
import { pollRepository } from './poll.repository.js'
import { pollResource } from './poll.resource.js'
import { publicPollRoutes } from './public-poll.routes.js'
import { publicPollService } from './public-poll.service.js'
import { publishRoutes } from './publish.routes.js'
import { publishedPollRepository } from './published-poll.repository.js'

/** The polls of offices, and their published versions. */
export function wirePolls(db: Db, widgets: Referable) {
  const polls = pollRepository(db, references({ chat_widget_id: widgets }))
  const published = publishedPollRepository(db)
  return {
    ...{ polls, published },
    routes: [resourceRoutes(pollResource, polls), publishRoutes(polls)],
    publicRoutes: publicPollRoutes(publicPollService(published)),
  }
}
