import type { Client } from '@caseway/kit/caller'
import { platform, resourceReads } from '@caseway/kit/database'
import { notFound, stale } from '@caseway/kit/errors'
import { outbox } from '@caseway/kit/events'
import type { Db } from '../database.js'
import { clientEvent, clientTopic } from '../events.js'
import { type OwnAccountChanges, ownAccountResource } from './own-account.resource.js'

/** Accounts belong to no office: the platform writes them. */
export const ownAccountRepository = (db: Db) => {
  const { get } = resourceReads(db, ownAccountResource)
  return {
    get: (caller: Client) => get(caller, caller.userId),

    /** What the person says of themselves counts for every office from now on. @throws AppError `stale` */
    change: ({ userId: id }: Client, changes: OwnAccountChanges, expected?: number): Promise<void> =>
      db.write(platform, async (tx) => {
        const [row] = await tx.$queryRaw<{ version: number }[]>`SELECT version FROM clients WHERE id = ${id} FOR UPDATE`
        if (!row) throw notFound()
        if (expected !== undefined && row.version !== expected) throw stale()
        const data = { ...changes, namesConfirmed: new Date() }
        await outbox(tx, clientTopic, clientEvent(await tx.client.update({ where: { id }, data })))
      }),
  }
}

export type OwnAccountRepository = ReturnType<typeof ownAccountRepository>
