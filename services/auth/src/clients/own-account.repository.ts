import type { Client } from '@caseway/kit/caller'
import { platform, resourceReads } from '@caseway/kit/database'
import { notFound, requireVersion } from '@caseway/kit/errors'
import { outbox } from '@caseway/kit/events'
import { clientTopic } from '@caseway/protos/topics'
import type { StoredPassword } from '../accounts/account.js'
import type { Db } from '../database.js'
import { clientEvent } from './client-event.js'
import { type OwnNames, ownAccountResource } from './own-account.resource.js'

interface Hooks {
  readonly authorize?: () => Promise<void>
  readonly settle: () => Promise<void>
}

/** Writes in the scope of the platform, because accounts belong to no office. */
export const ownAccountRepository = (db: Db) => {
  const { get } = resourceReads(db, ownAccountResource)
  return {
    get: (caller: Client) => get(caller, caller.userId),

    /**
     * Changes an account on the client's behalf, and confirms the names that are sent. `authorize` runs before anything is written, `settle` afterwards:
     * both in the same transaction, with the account locked.
     * @throws AppError `not-found`, `stale`
     */
    change: (
      { userId: id }: Client,
      { passwordHash, passwordExpired, ...names }: OwnNames & Partial<StoredPassword>,
      expected: number | undefined,
      { authorize, settle }: Hooks,
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
