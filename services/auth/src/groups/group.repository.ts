import type { Employee, Id } from '@caseway/kit/caller'
import { office, resourceReads } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import { groupTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import { type GroupChanges, groupResource, type NewGroup } from './group.resource.js'
import { groupEvent } from './group-event.js'

/** The fields of a locked row. */
interface Locked {
  readonly id: Id
  readonly version: number
}

export const groupRepository = (db: Db) => {
  const reads = resourceReads(db, groupResource)

  const store = async (tx: Tx, { customerId }: Employee, { id, version }: Locked, data: GroupChanges & { deleted?: true }) => {
    const changed = await tx.group.update({ where: { id, customerId }, data })
    if (changed.version !== version) await outbox(tx, groupTopic, groupEvent(changed))
  }

  return {
    ...reads,

    create: ({ customerId }: Employee, group: NewGroup): Promise<Id> =>
      db.write(office(customerId), async (tx) => {
        const created = await tx.group.create({ data: { ...group, customerId } })
        await outbox(tx, groupTopic, groupEvent(created))
        return created.id
      }),

    change: (caller: Employee, id: Id, changes: GroupChanges, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        await store(tx, caller, await reads.lock(tx, caller, id, expected), changes)
      }),

    /** Deletes a group with its memberships. The row remains without its name, so that copies which are rebuilt learn of the deletion. */
    remove: (caller: Employee, id: Id, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        const group = await reads.lock(tx, caller, id, expected)
        await tx.userGroup.deleteMany({ where: { customerId: caller.customerId, groupId: id } })
        await store(tx, caller, group, { name: '', deleted: true })
      }),
  }
}
