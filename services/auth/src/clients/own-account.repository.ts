import type { Client } from '@caseway/kit/caller'
import { platform, resourceReads } from '@caseway/kit/database'
import { notFound, requireVersion } from '@caseway/kit/errors'
import { outbox } from '@caseway/kit/events'
import { clientTopic } from '@caseway/protos/topics'
import type { StoredPassword } from '../accounts/account.js'
import type { Db } from '../database.js'
import { clientEvent } from './client-event.js'
import { type OwnNames, ownAccountResource } from './own-account.resource.js'

interface Around {
  readonly authorize?: () => Promise<void>
  readonly settle: () => Promise<void>
}

/** Accounts belong to no office: the platform writes them. */
export const ownAccountRepository = (db: Db) => {
  const { get } = resourceReads(db, ownAccountResource)
  return {
    get: (caller: Client) => get(caller, caller.userId),

    /**
     * The names that the person gives count for every office from now on. `authorize` runs before anything is written, `settle` after it: in the
     * same transaction, with the account locked.
     * @throws AppError `stale`
     */
    change: (
      { userId: id }: Client,
      { passwordHash, passwordExpired, ...names }: OwnNames & Partial<StoredPassword>,
      expected: number | undefined,
      { authorize, settle }: Around,
    ): Promise<void> =>
      db.write(platform, async (tx) => {
        const [row] = await tx.$queryRaw<{ version: number }[]>`SELECT version FROM clients WHERE id = ${id} FOR UPDATE`
        if (!row) throw notFound()
        requireVersion(row, expected)
        await authorize?.()
        const password = passwordHash === undefined ? {} : { passwordHash, passwordExpired: passwordExpired ?? false }
        const confirmed = Object.keys(names).length > 0 ? { ...names, namesConfirmed: new Date() } : {}
        const changed = await tx.client.update({ where: { id }, data: { ...confirmed, ...password } })
        if (changed.version !== row.version) await outbox(tx, clientTopic, clientEvent(changed))
        await settle()
      }),
  }
}

export type OwnAccountRepository = ReturnType<typeof ownAccountRepository>
