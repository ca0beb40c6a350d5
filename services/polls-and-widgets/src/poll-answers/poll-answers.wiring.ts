import { resourceRoutes } from '@caseway/kit/http'
import { postgresLimits } from '@caseway/kit/limits'
import { shownRecords } from '@caseway/kit/objects'
import type { Logger } from '@caseway/kit/observability'
import type { Db } from '../database.js'
import type { PublishedPolls } from '../polls/published-poll.js'
import type { PollCounts } from '../results/poll-count.js'
import { answerLimits } from './answer-limits.js'
import { answerRetention } from './answer-retention.js'
import { pollAnswerRepository } from './poll-answer.repository.js'
import { pollAnswerResource } from './poll-answer.resource.js'
import { pollAnswerService } from './poll-answer.service.js'
import { saveRoutes } from './save.routes.js'

interface Parts {
  readonly polls: PublishedPolls
  readonly counts: PollCounts
  readonly config: { readonly databaseUrl: string; readonly pollAnswerRetentionDays: number }
  readonly log: Logger
  readonly onClose: (name: string, close: () => unknown) => void
}

/** The answers of respondents. */
export function wirePollAnswers(db: Db, { polls, counts, config, log, onClose }: Parts) {
  const { limit, close } = postgresLimits(config.databaseUrl, log)
  onClose('limits', close)
  const rows = pollAnswerRepository(db, counts)
  const answers = pollAnswerService({ answers: rows, polls, limits: answerLimits(limit) })
  const { list, get, remove } = answers
  return {
    routes: resourceRoutes(pollAnswerResource, { list, get, remove }),
    publicRoutes: saveRoutes(answers),
    shown: shownRecords(pollAnswerResource, rows),
    retention: answerRetention(config.pollAnswerRetentionDays),
  }
}
