import { setTimeout as pause } from 'node:timers/promises'
import type { Metrics } from '../../observability/index.js'
import { isLost, repeatable } from '../errors.js'

const tries = 3
/** A lost connection is not retried later than this after the first failure, in milliseconds: the next attempt would take as long as the last. */
const lostAfterMs = 1_000
const minPauseMs = 20
const maxPauseMs = 100

/** Runs a unit of work, and again, three times in all, where its failure says that it may be repeated. */
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
        // At random, so that two that have met do not meet again.
        await pause(minPauseMs + Math.random() * (maxPauseMs - minPauseMs))
      }
    }
  }
