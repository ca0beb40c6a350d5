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

const link = defineJob<NewMessage>({ name: 'case-link', retry: { mostMs: 60_000 } })
const check = defineJob<Case>({ name: 'case-check', retry: { mostMs: 60_000 } })

/** In the transaction that stores messages in conversations of cases. */
export const enqueueLinks = (tx: Tx, customerId: Id, messageIds: readonly Id[]): Promise<void> =>
  enqueueAll(
    tx,
    link,
    messageIds.map((id) => ({ payload: { customerId: String(customerId), messageId: String(id) } })),
  )

/**
 * In the transaction in which messages are put into a case. It may have been deleted since its owner was asked, and the event of that found no message:
 * so the owner is asked again when there is one.
 */
export const enqueueCheck = (tx: Tx, customerId: Id, issueId: Id): Promise<void> =>
  enqueue(tx, check, { customerId: String(customerId), issueId: String(issueId) }, { dedupe: `${customerId}/${issueId}` })

interface Parts {
  readonly cases: Pick<CaseDirectory, 'isParty' | 'exists'>
  readonly rows: Pick<LinkedCaseRepository, 'waiting' | 'follow' | 'forget'>
}

/** Puts what comes into the conversation of a case into the case, where a party of it has sent it, or the owner of the mailbox. */
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
