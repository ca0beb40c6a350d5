import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import { defineJob, enqueue, handleJob, type JobHandler } from '@caseway/kit/jobs'
import { rememberedMs } from '@caseway/kit/rights'
import type { Db } from '../database.js'
import type { PublishCounters } from './issue-counter.repository.js'

interface Payload {
  readonly customerId: string
  readonly userIds: readonly string[]
}

/** After this time no copy of the service remembers the former rights: those that a call to auth returned last were asked for before the change. */
const settledMs = rememberedMs + 500

const job = defineJob<Payload>({ name: 'changed-rights' })

export type PublishLater = (customerId: Id, userIds: readonly Id[]) => Promise<void>

/** Enqueues the publication of counters for the time when every copy of the service reads them with the new rights. */
export const publishLater =
  (db: Db): PublishLater =>
  (customerId, userIds) =>
    db.write(office(customerId), (tx) => {
      const payload = { customerId: String(customerId), userIds: userIds.map(String) }
      return enqueue(tx, job, payload, { delayMs: settledMs })
    })

/** Publishes the counters to the live streams. They are absolute, so it may happen repeatedly. */
export const countersAfterRights = (db: Db, publish: PublishCounters): JobHandler<unknown> =>
  handleJob(job, async ({ payload }) => {
    const customerId = BigInt(payload.customerId)
    await db.batch(office(customerId), publish(customerId, payload.userIds.map(BigInt)))
  })
