import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import { defineJob, enqueue, handleJob, type JobHandler } from '@caseway/kit/jobs'
import type { Db } from '../database.js'
import type { IssueRepository } from './issue.repository.js'

interface Payload {
  readonly customerId: string
  readonly groupId: string
}

const job = defineJob<Payload>({ name: 'group-release' })

/** Enqueues a release for each deleted group, in the running transaction. Each job belongs to its office, so that offices take turns. */
export const enqueueGroupReleases = (db: Db) => async (_tx: object, groups: readonly { readonly customerId: Id; readonly id: Id }[]) => {
  for (const { customerId, id } of groups) {
    await db.write(office(customerId), (tx) => enqueue(tx, job, { customerId: String(customerId), groupId: String(id) }))
  }
}

/** The number of cases in one transaction, for whose end other changes of the office wait. */
const chunk = 20

/** The number of comments in one transaction. */
const commentChunk = 1_000

interface Comments {
  removeOfGroup(customerId: Id, groupId: Id, limit: number): Promise<number>
}

/** Removes all cases from a deleted group, and deletes its comments. */
export const groupRelease = (issues: Pick<IssueRepository, 'leaveGroup'>, comments: Comments): JobHandler<unknown> =>
  handleJob(job, async (run) => {
    const [customerId, groupId] = [BigInt(run.payload.customerId), BigInt(run.payload.groupId)]
    for (let released = chunk; released === chunk; ) {
      run.signal.throwIfAborted()
      released = await run.checkpoint(null, () => issues.leaveGroup(customerId, groupId, chunk))
    }
    for (let removed = commentChunk; removed === commentChunk; ) {
      run.signal.throwIfAborted()
      removed = await run.checkpoint(null, () => comments.removeOfGroup(customerId, groupId, commentChunk))
    }
  })
