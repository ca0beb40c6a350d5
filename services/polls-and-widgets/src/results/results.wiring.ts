import type { Db } from '../database.js'
import type { PublishedPolls } from '../polls/published-poll.js'
import { pollCountRepository } from './poll-count.repository.js'
import { resultsRoutes } from './results.routes.js'
import { type Polls, resultsService } from './results.service.js'

/** The results of polls. `counts` is used where answers are stored. */
export function wireResults(db: Db, polls: Polls, published: PublishedPolls) {
  const counts = pollCountRepository(db)
  return { counts, routes: resultsRoutes(resultsService({ polls, published, counts })) }
}
