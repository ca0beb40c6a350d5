import type { Id } from '@caseway/kit/caller'
import { type JobHandler, scheduledJob } from '@caseway/kit/jobs'

interface Forgotten {
  readonly id: Id
  readonly customerId: Id
}

interface Safety {
  /** Mailboxes of all offices that have work but no job for it. */
  forgotten(limit: number): Promise<readonly Forgotten[]>
  enqueue(mailbox: Forgotten): Promise<void>
}

/** The most mailboxes in one tick; the others follow with the next. */
const maxMailboxes = 1000

/**
 * Enqueues the jobs of mailboxes that have none: the job has failed for good, was deleted by hand, or the rows were written past the service, as by a
 * partly restored backup.
 */
export const mailboxSafety = (name: string, mailboxes: Safety): JobHandler<unknown> =>
  scheduledJob(name, { every: 5 * 60_000 }, async ({ signal }) => {
    for (const mailbox of await mailboxes.forgotten(maxMailboxes)) {
      signal.throwIfAborted()
      await mailboxes.enqueue(mailbox)
    }
  })
