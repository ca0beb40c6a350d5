import { type Referable, references } from '@caseway/kit/database'
import { resourceRoutes } from '@caseway/kit/http'
import type { Db } from '../database.js'
import { pollRepository } from './poll.repository.js'
import { pollResource } from './poll.resource.js'
import { publishRoutes } from './publish.routes.js'

export function wirePolls(db: Db, widgets: Referable) {
  const polls = pollRepository(db, references({ chat_widget_id: widgets }))
  return { polls, routes: [resourceRoutes(pollResource, polls), publishRoutes(polls)] }
}
