import { setTimeout as pause } from 'node:timers/promises'
import type { Id } from '@caseway/kit/caller'
import type { Logger } from '@caseway/kit/observability'
import type { CasesMetrics } from '../metrics.js'
import type { CounterService } from './counter.service.js'
import { type CounterValue, type IssueCounter, issueCounters } from './issue-counter.js'

export interface CounterCheckOptions {
  counters: Pick<CounterService, 'offices' | 'recount'>
  metrics: Pick<CasesMetrics, 'counterDrift' | 'counterChecks'>
  log: Logger
  /** Pause between two looks. */
  everyMs: number
  /** Offices of one look, which are compared one after the other. Default 10. */
  batch?: number
}

/**
 * Compares the counters with the cases, a few offices at a time and then again from the first, until `over`. It repairs nothing, so that
 * nobody overlooks what made them wrong.
 */
export async function checkCounters(options: CounterCheckOptions, over: AbortSignal): Promise<void> {
  const { counters, metrics, log, everyMs, batch = 10 } = options
  const wrong = new Map<Id, CounterValue[]>()
  let last: Id = 0n
  const show = () => {
    for (const name of issueCounters) metrics.counterDrift.set({ counter: name }, drift(wrong.values(), name))
  }

  const look = async () => {
    const offices = await counters.offices(last, batch)
    for (const office of offices) {
      if (over.aborted) return
      await compare(office)
      last = office
    }
    if (offices.length < batch) last = 0n
  }
  const compare = async (office: Id) => {
    try {
      const missing = await counters.recount(office, { repair: false })
      metrics.counterChecks.inc({ outcome: missing.length > 0 ? 'wrong' : 'right' })
      if (missing.length > 0) wrong.set(office, missing)
      else wrong.delete(office)
      for (const name of new Set(missing.map(({ counter }) => counter))) {
        log.warn({ office: String(office), counter: name, drift: drift([missing], name) }, 'a counter differs from the cases')
      }
    } catch (err) {
      metrics.counterChecks.inc({ outcome: 'failed' })
      log.warn({ err, office: String(office) }, 'the counters of an office could not be checked')
    }
  }

  try {
    while (!over.aborted) {
      await look().catch((err: unknown) => log.warn({ err }, 'the counters could not be checked'))
      show()
      await pause(everyMs, undefined, { signal: over }).catch(() => undefined)
    }
  } finally {
    // Another copy looks from now on.
    metrics.counterDrift.reset()
  }
}

const drift = (offices: Iterable<readonly CounterValue[]>, name: IssueCounter): number =>
  [...offices]
    .flat()
    .filter(({ counter }) => counter === name)
    .reduce((sum, { value }) => sum + Math.abs(value), 0)
