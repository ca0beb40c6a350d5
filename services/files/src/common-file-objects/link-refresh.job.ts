import type { Id } from '@caseway/kit/caller'
import { defineJob, enqueue, handleJob, type JobHandler } from '@caseway/kit/jobs'
import type { Tx } from '../database.js'
import type { ObjectKey, ObjectName } from './common-file-object.js'

interface Payload {
  readonly customerId: string
  readonly objectName: ObjectName
  readonly objectId: string
}

const job = defineJob<Payload>({ name: 'link-refresh', retry: { mostMs: 10_000 } })

/**
 * In the transaction in which a file is attached. What its object was when its owner was asked may have changed before the link was there, and the
 * event of that change found no link: so the owner is asked again when there is one.
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
