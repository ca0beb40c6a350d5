import type { Id } from '@caseway/kit/caller'
import { type JobHandler, scheduledJob } from '@caseway/kit/jobs'

interface Forgotten {
  readonly id: Id
  readonly customerId: Id
}

interface Safety {
  /** Mailboxes that have something to do and no job for it, of all offices. */
  forgotten(limit: number): Promise<readonly Forgotten[]>
  enqueue(mailbox: Forgotten): Promise<void>
}

/** At once: those that are left come with the next tick. */
const most = 1000

/**
 * Gives mailboxes a job that have none: theirs has failed for good, somebody has deleted it, or the rows were written past the service, as by a
 * backup that was restored in part.
 */
export const mailboxSafety = (name: string, mailboxes: Safety): JobHandler<unknown> =>
  scheduledJob(name, { every: 5 * 60_000 }, async ({ signal }) => {
    for (const mailbox of await mailboxes.forgotten(most)) {
      signal.throwIfAborted()
      await mailboxes.enqueue(mailbox)
    }
  })
