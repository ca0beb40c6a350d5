import { setTimeout as pause } from 'node:timers/promises'
import type { Metrics } from '../../observability/index.js'
import { isLost, repeatable } from '../errors.js'

const tries = 3
/** After a lost connection there is no further try later than this after the first failure, in milliseconds: it would take as long as the last one. */
const lostAfterMs = 1_000
const minPauseMs = 20
const maxPauseMs = 100

/** Runs a unit of work up to three times, as long as its error is `repeatable`. Rejects with the last error. */
export type Repeat = <T>(unitOfWork: () => Promise<T>) => Promise<T>

export const createRepeat =
  ({ databaseRetries }: Metrics): Repeat =>
  async (unitOfWork) => {
    let failedAt: number | undefined
    for (let failures = 1; ; failures++) {
      try {
        return await unitOfWork()
      } catch (error) {
        if (failures === tries || !repeatable(error)) throw error
        failedAt ??= performance.now()
        if (isLost(error) && performance.now() - failedAt > lostAfterMs) throw error
        databaseRetries.inc()
        // A random pause, so that two transactions that were in conflict do not meet again.
        await pause(minPauseMs + Math.random() * (maxPauseMs - minPauseMs))
      }
    }
  }
