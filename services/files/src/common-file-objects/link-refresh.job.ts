import type { Id } from '@caseway/kit/caller'
import { defineJob, enqueue, handleJob, type JobHandler } from '@caseway/kit/jobs'
import type { Tx } from '../database.js'
import type { ObjectKey, ObjectName } from './common-file-object.js'

interface Payload {
  readonly customerId: string
  readonly objectName: ObjectName
  readonly objectId: string
}

const job = defineJob<Payload>({ name: 'link-refresh', retry: { maxMs: 10_000 } })

/**
 * Enqueues a refresh of the object, in the transaction that attaches a file. The object may have changed between the answer of its owner and the commit, when
 * the event of that change found no link yet, so the owner is asked again after it.
 */
export const enqueueLinkRefresh = (tx: Tx, customerId: Id, { objectName, objectId }: ObjectKey): Promise<void> =>
  enqueue(tx, job, { customerId: String(customerId), objectName, objectId: String(objectId) })

interface Links {
  refresh(customerId: Id, objects: { readonly objectName: ObjectName; readonly objectIds: readonly Id[] }): Promise<void>
}

export const linkRefresh = (links: Links): JobHandler<unknown> =>
  handleJob(job, ({ payload: { customerId, objectName, objectId } }) =>
    links.refresh(BigInt(customerId), { objectName, objectIds: [BigInt(objectId)] }),
  )
