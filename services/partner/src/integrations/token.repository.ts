import { randomUUID } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'
import type { Scoped, SealedColumn } from '@caseway/kit/database'
import { enqueue, enqueueAll } from '@caseway/kit/jobs'
import { refreshTime, type Tokens } from '@caseway/kit/oauth'
import type { Sealer } from '@caseway/kit/secrets'
import type { Db, Tx } from '../database.js'
import { lastRevocationJob, tokenJob } from './token.js'

/** Stored tokens, decrypted. */
export interface HeldTokens {
  readonly id: string
  /** Null where the integration was deleted, and the tokens must be revoked. */
  readonly integrationId: Id | null
  readonly accessToken: string
  readonly refreshToken: string | null
  /** How often they were refreshed. */
  readonly revision: number
  readonly refreshAt: Date
}

/** Tokens of the accounting platform, each encrypted for its row and column. */
export const tokenRepository = (db: Db, sealer: Sealer) => {
  const identity = (id: string, column: 'access_token' | 'refresh_token') => `${id} ${column}`
  const sealed = (id: string, { accessToken, refreshToken }: Pick<Tokens, 'accessToken' | 'refreshToken'>) => ({
    accessToken: sealer.seal(Buffer.from(accessToken), identity(id, 'access_token')),
    ...(refreshToken !== null && { refreshToken: sealer.seal(Buffer.from(refreshToken), identity(id, 'refresh_token')) }),
  })
  /** Plans a job for tokens. Only one that has not begun exists at a time, with the earliest time of all plans. */
  const plan = (tx: Tx, { id: tokenId, revision }: Pick<HeldTokens, 'id' | 'revision'>, runAt?: Date): Promise<void> =>
    enqueue(tx, tokenJob, { tokenId, revision }, { ...(runAt && { runAt }), dedupe: tokenId })

  return {
    /** Stores tokens, and plans the job that refreshes them before they expire. */
    async add(tx: Tx, { customerId, integrationId }: { customerId: Id; integrationId: Id }, tokens: Tokens): Promise<void> {
      const id = randomUUID()
      const refreshAt = refreshTime(new Date(), tokens)
      await tx.platformToken.create({ data: { id, customerId, integrationId, refreshAt, ...sealed(id, tokens) } })
      await plan(tx, { id, revision: 1 }, refreshAt)
    },

    async find(scoped: Scoped, id: string): Promise<HeldTokens | undefined> {
      const found = await db.read(scoped).platformToken.findFirst({ where: { id } })
      if (!found) return undefined
      const { integrationId, revision, refreshAt, accessToken, refreshToken } = found
      return {
        ...{ id, integrationId, revision, refreshAt },
        accessToken: sealer.open(accessToken, identity(id, 'access_token')).toString(),
        refreshToken: refreshToken && sealer.open(refreshToken, identity(id, 'refresh_token')).toString(),
      }
    },

    /** Replaces the tokens by refreshed ones, and plans their next refresh. */
    async replace(tx: Tx, { id, revision: last }: Pick<HeldTokens, 'id' | 'revision'>, tokens: Tokens): Promise<void> {
      const [revision, refreshAt] = [last + 1, refreshTime(new Date(), tokens)]
      const { count } = await tx.platformToken.updateMany({ where: { id }, data: { ...sealed(id, tokens), revision, refreshAt } })
      if (count === 1) await plan(tx, { id, revision }, refreshAt)
    },

    /** Plans the next refresh of tokens that an earlier job has refreshed. */
    planNext: (tx: Tx, held: HeldTokens) => plan(tx, held, held.refreshAt),

    /** Plans a refresh now, whenever the next one was planned. @returns false when there is no such integration */
    async refreshNow(tx: Tx, customerId: Id, integrationId: Id): Promise<boolean> {
      const held = await tx.platformToken.findFirst({ where: { customerId, integrationId }, select: { id: true, revision: true } })
      if (held) await plan(tx, held)
      return held !== null
    },

    /** Detaches the tokens of an integration that is being deleted, and plans their revocation. An imported integration has none. */
    async release(tx: Tx, customerId: Id, integrationId: Id, { revoke }: { revoke: boolean }): Promise<void> {
      const where = { customerId, integrationId }
      if (!revoke) return void (await tx.platformToken.deleteMany({ where }))
      const [held] = await tx.platformToken.updateManyAndReturn({ where, data: { integrationId: null } })
      if (held) await plan(tx, held)
    },

    /** Moves the tokens of a deleted office to the scope of the platform, and plans their revocation. */
    async releaseAll(tx: Tx, customerId: Id): Promise<void> {
      const held = await tx.platformToken.updateManyAndReturn({ where: { customerId }, data: { customerId: null, integrationId: null } })
      const jobs = held.map(({ id: tokenId }) => ({ payload: { tokenId } }))
      await enqueueAll(tx, lastRevocationJob, jobs)
    },

    sealed: (['access_token', 'refresh_token'] as const).map(
      (column): SealedColumn => ({
        ...{ table: 'platform_tokens', key: { column: 'id', type: 'uuid' }, column, sealer },
        identityOf: (id) => identity(id, column),
      }),
    ),

    remove: (tx: Tx, id: string) => tx.platformToken.deleteMany({ where: { id } }),
  }
}

export type TokenRepository = ReturnType<typeof tokenRepository>
