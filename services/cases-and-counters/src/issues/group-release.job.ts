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

/** In the transaction in which groups are known to be deleted. Each job belongs to its office, so that offices have their turns. */
export const enqueueGroupReleases = (db: Db) => async (_tx: object, groups: readonly { readonly customerId: Id; readonly id: Id }[]) => {
  for (const { customerId, id } of groups) {
    await db.write(office(customerId), (tx) => enqueue(tx, job, { customerId: String(customerId), groupId: String(id) }))
  }
}

/** Cases of one transaction: other changes of the office wait for it. */
const chunk = 20

/** Comments of one transaction. */
const commentChunk = 1_000

interface Comments {
  removeOfGroup(customerId: Id, groupId: Id, limit: number): Promise<number>
}

/** Takes all cases from a group that is deleted; its comments go with it. */
export const groupRelease = (issues: Pick<IssueRepository, 'leaveGroup'>, comments: Comments): JobHandler<unknown> =>
  handleJob(job, async (run) => {
    const [customerId, groupId] = [BigInt(run.payload.customerId), BigInt(run.payload.groupId)]
    for (let left = chunk; left === chunk; ) {
      run.signal.throwIfAborted()
      left = await run.checkpoint(null, () => issues.leaveGroup(customerId, groupId, chunk))
    }
    for (let removed = commentChunk; removed === commentChunk; ) {
      run.signal.throwIfAborted()
      removed = await run.checkpoint(null, () => comments.removeOfGroup(customerId, groupId, commentChunk))
    }
  })
