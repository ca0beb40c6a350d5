import type { Id } from '@caseway/kit/caller'
import { type JobHandler, type Run, scheduledJob } from '@caseway/kit/jobs'
import type { Logger } from '@caseway/kit/observability'
import type { CounterService } from './counter.service.js'
import type { CounterCheckRepository, Drift } from './counter-check.repository.js'
import type { CounterMetrics } from './counter-metrics.js'
import type { CounterValue } from './issue-counter.js'

export interface CounterCheckOptions {
  counters: Pick<CounterService, 'recount'>
  checks: CounterCheckRepository
  metrics: Pick<CounterMetrics, 'counterChecks'>
  log: Logger
  /** The interval between two checks, in milliseconds. */
  everyMs: number
  /** The number of offices in one check, which are compared one after the other. Default 60. */
  batch?: number
}

/** Compares counters with cases, for the offices that were checked longest ago. It repairs nothing, so that the cause of a difference can still be found. */
export function counterCheck({ counters, checks, metrics, log, everyMs, batch = 60 }: CounterCheckOptions): JobHandler<unknown> {
  const compare = async (office: Id, run: Run<null>) => {
    const drift = driftOf(await counters.recount(office, { repair: false }))
    await run.checkpoint(null, () => checks.keep(office, drift))
    const wrong = Object.entries(drift)
    metrics.counterChecks.inc({ outcome: wrong.length > 0 ? 'wrong' : 'right' })
    for (const [counter, drift] of wrong) log.warn({ office: String(office), counter, drift }, 'a counter differs from the cases')
  }

  return scheduledJob('counter-check', { every: everyMs }, async (run) => {
    for (const office of await checks.oldest(batch)) {
      run.signal.throwIfAborted()
      try {
        await compare(office, run)
      } catch (err) {
        metrics.counterChecks.inc({ outcome: 'failed' })
        log.warn({ err, office: String(office) }, 'the counters of an office could not be checked')
        // The check is recorded also for an office that failed, so that the others come first.
        await run.checkpoint(null, () => checks.keep(office))
      }
    }
  })
}

function driftOf(missing: readonly CounterValue[]): Drift {
  const drift: Drift = {}
  for (const { counter, value } of missing) drift[counter] = (drift[counter] ?? 0) + Math.abs(value)
  return drift
}
