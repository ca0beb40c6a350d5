import type { JobHandler } from '@caseway/kit/jobs'
import type { Db } from '../database.js'
import { enqueueSync, syncJobName } from '../receiving/mailboxes/mailbox-sync.job.js'
import { enqueueSending, sendingJobName } from '../sending/sending.job.js'
import { forgottenMailboxes, mailboxesToReceive, mailboxesToSend } from './forgotten-mailbox.repository.js'
import { mailboxSafety } from './mailbox-safety.job.js'

/** Ensures that mailboxes are received, and their waiting messages sent, in the copies that have these roles. */
export function wireMailboxSafety(db: Db, roles: readonly string[]): JobHandler<unknown>[] {
  const received = forgottenMailboxes(db, { job: syncJobName, wanted: mailboxesToReceive, enqueue: enqueueSync })
  const sent = forgottenMailboxes(db, { job: sendingJobName, wanted: mailboxesToSend, enqueue: enqueueSending })
  return [
    ...(roles.includes('receive') ? [mailboxSafety('mailbox-safety', received)] : []),
    ...(roles.includes('send') ? [mailboxSafety('sending-safety', sent)] : []),
  ]
}
