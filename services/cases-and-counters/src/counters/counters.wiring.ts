import type { Peers } from '@caseway/kit/grpc'
import type { Logger, Metrics } from '@caseway/kit/observability'
import { lastKnownRights, type RightsOf, rememberedRights } from '@caseway/kit/rights'
import type { Db } from '../database.js'
import { changedRights } from './changed-rights.consumer.js'
import { countersAfterRights, publishLater } from './changed-rights.job.js'
import { counterRepository } from './counter.repository.js'
import { counterRoutes } from './counter.routes.js'
import { counterService } from './counter.service.js'
import { counterCheck } from './counter-check.job.js'
import { counterCheckRepository } from './counter-check.repository.js'
import { counterMetrics } from './counter-metrics.js'
import { readableFolders } from './folder-rights.js'
import { issueCounterRepository, type PublishCounters } from './issue-counter.repository.js'
import { copiedFolderCounts } from './mail-folder-count.repository.js'
import { mailFolderDirectory } from './mail-folder-directory.client.js'

export interface CounterParts extends Peers {
  readonly publishCounters: PublishCounters
  readonly rightsOf: RightsOf
  /** 0 disables the check. */
  readonly checkSeconds: number
  readonly log: Logger
  readonly metrics: Metrics
}

/** The counters of cases and of mail folders; `follow` updates those of cases. Live streams show what is in `live`. */
export function wireCounters(db: Db, { publishCounters, rightsOf, checkSeconds, log, metrics, peer, onClose }: CounterParts) {
  const issueCounters = issueCounterRepository(db, publishCounters)
  const readable = readableFolders(rememberedRights(lastKnownRights(rightsOf)))
  const counters = counterService({ counters: counterRepository(db), issueCounters, readable })
  const checks = counterCheckRepository(db)
  const check = { counters, checks, metrics: counterMetrics(metrics, checks.drift), log, everyMs: checkSeconds * 1000 }
  return {
    live: { counters },
    follow: issueCounters.follow,
    routes: counterRoutes(counters),
    copy: copiedFolderCounts(db, publishCounters, mailFolderDirectory({ peer, onClose })),
    consumers: [changedRights(publishLater(db))],
    jobs: [countersAfterRights(db, publishCounters), ...(checkSeconds > 0 ? [counterCheck(check)] : [])],
  }
}
