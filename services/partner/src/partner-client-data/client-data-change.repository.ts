import { platform } from '@caseway/kit/database'
import { enqueue } from '@caseway/kit/jobs'
import type { Db, Tx } from '../database.js'
import type { Outcome, RefusalCode, RequestedChange, State } from './client-data.js'
import { clientDataChange, endedChanges } from './client-data-change.js'

/** A change that has not ended. */
export interface UnfinishedChange {
  readonly id: string
  readonly externalUserId: string
  readonly state: State
  readonly since: Date
}

/** Changes are in the scope of the platform, because the technical account belongs to no office. */
export const clientDataChangeRepository = (db: Db) => ({
  /** Stores a change, and enqueues its job. */
  begin: (request: RequestedChange): Promise<void> =>
    db.write(platform, async (tx) => {
      const { id, externalUserId } = request
      await Promise.all([tx.clientDataChange.create({ data: { id, externalUserId } }), enqueue(tx, clientDataChange, request)])
    }),

  /** Stores the state, in the transaction of a checkpoint. */
  advance: async (tx: Tx, id: string, state: State): Promise<void> => {
    await tx.clientDataChange.updateMany({ where: { id }, data: { state } })
  },

  /** Stores the outcome, and notifies waiting callers, in the transaction that ends the job. */
  end: async (tx: Tx, id: string, outcome: Outcome): Promise<void> => {
    await tx.clientDataChange.updateMany({ where: { id }, data: { ...outcome, finished: new Date() } })
    tx.$notify(endedChanges, id)
  },

  /** The outcome of a change; undefined while it has not ended. */
  async outcomeOf(id: string): Promise<Outcome | undefined> {
    const found = await db.read(platform).clientDataChange.findFirst({ where: { id, finished: { not: null } } })
    if (found?.state === 'changed')
      return { state: 'changed', userClientId: found.userClientId ?? 0n, updatedInitiators: found.updatedInitiators ?? 0 }
    if (found?.state === 'refused') return { state: 'refused', refusal: found.refusal as RefusalCode }
    return found ? { state: 'unchanged' } : undefined
  },

  /** Whether a change of this client has not ended. */
  isUnderWay: async (externalUserId: string): Promise<boolean> =>
    (await db.read(platform).clientDataChange.findFirst({ where: { externalUserId, finished: null }, select: { id: true } })) !== null,

  /** The changes that have not ended, the oldest first. */
  async unfinished(limit: number): Promise<UnfinishedChange[]> {
    const found = await db
      .read(platform)
      .clientDataChange.findMany({ where: { finished: null }, orderBy: [{ created: 'asc' }, { id: 'asc' }], take: limit })
    return found.map(({ id, externalUserId, state, created }) => ({ id, externalUserId, state: state as State, since: created }))
  },
})

export type ClientDataChangeRepository = ReturnType<typeof clientDataChangeRepository>
