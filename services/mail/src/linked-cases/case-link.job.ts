import type { Id } from '@caseway/kit/caller'
import { defineJob, enqueue, enqueueAll, handleJob, type JobHandler } from '@caseway/kit/jobs'
import type { Tx } from '../database.js'
import type { CaseDirectory } from './case-directory.js'
import type { LinkedCaseRepository } from './linked-case.repository.js'

interface NewMessage {
  readonly customerId: string
  readonly messageId: string
}
interface Case {
  readonly customerId: string
  readonly issueId: string
}

const link = defineJob<NewMessage>({ name: 'case-link', retry: { maxMs: 60_000 } })
const check = defineJob<Case>({ name: 'case-check', retry: { maxMs: 60_000 } })

/** Enqueues the linking of messages in conversations of cases, in the transaction that stores them. */
export const enqueueLinks = (tx: Tx, customerId: Id, messageIds: readonly Id[]): Promise<void> =>
  enqueueAll(
    tx,
    link,
    messageIds.map((id) => ({ payload: { customerId: String(customerId), messageId: String(id) } })),
  )

/**
 * Enqueues, in the transaction that links messages to a case, a check that the case still exists: it may have been deleted after its owner was asked,
 * and the event of the deletion found no message to unlink.
 */
export const enqueueCheck = (tx: Tx, customerId: Id, issueId: Id): Promise<void> =>
  enqueue(tx, check, { customerId: String(customerId), issueId: String(issueId) }, { dedupe: `${customerId}/${issueId}` })

interface Parts {
  readonly cases: Pick<CaseDirectory, 'isParty' | 'exists'>
  readonly rows: Pick<LinkedCaseRepository, 'waiting' | 'follow' | 'forget'>
}

/**
 * `case-link` links a message in the conversation of a case to that case, if a party to the case or the owner of the mailbox has sent it;
 * `case-check` unlinks the messages of a deleted case.
 */
export const caseLinks = ({ cases, rows }: Parts): JobHandler<unknown>[] => [
  handleJob(link, async (run) => {
    const message = await rows.waiting(BigInt(run.payload.customerId), BigInt(run.payload.messageId))
    if (!message) return
    const { customerId, issueId, sender, folderName } = message
    const isOurs = folderName === 'SENT' || (await cases.isParty(customerId, issueId, sender))
    if (isOurs) await run.finish((tx) => rows.follow(tx as Tx, message))
  }),
  handleJob(check, async ({ payload }) => {
    const [customerId, issueId] = [BigInt(payload.customerId), BigInt(payload.issueId)]
    if (!(await cases.exists(customerId, issueId))) await rows.forget(customerId, issueId)
  }),
]
