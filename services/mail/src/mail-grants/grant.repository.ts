import type { Id } from '@caseway/kit/caller'
import { office, type SealedColumn } from '@caseway/kit/database'
import { refreshTime, type Tokens } from '@caseway/kit/oauth'
import type { Sealer } from '@caseway/kit/secrets'
import type { Db, Tx } from '../database.js'
import type { Begun, Grant, HeldTokens, MailboxOfPerson, RetiredGrant } from './grant.js'

const keyOf = ({ customerId, userId, userEmail }: MailboxOfPerson) => ({ customerId, userId, userEmail })

/** How long a claim to refresh tokens lasts: longer than the timeout for the provider. */
const claimSeconds = 30

/** Enqueues the revocation of tokens at their provider, in the transaction that retires the grant. */
export type EnqueueRevocation = (tx: Tx, grant: { readonly id: Id; readonly customerId: Id }) => Promise<void>

/** The OAuth grants of mailboxes. Secrets are encrypted for their row and column. */
export const grantRepository = (db: Db, sealer: Sealer, enqueueRevocation: EnqueueRevocation) => {
  const identity = (id: Id | string, column: 'begun' | 'tokens') => `mail_grant ${id} ${column}`
  const seal = (value: Begun | HeldTokens, id: Id, column: 'begun' | 'tokens') =>
    sealer.seal(Buffer.from(JSON.stringify(value)), identity(id, column))
  const open = (sealed: Uint8Array, id: Id, column: 'begun' | 'tokens') => JSON.parse(sealer.open(sealed, identity(id, column)).toString())

  const columnsOf = (id: Id, tokens: Tokens & { readonly refreshToken: string }) => {
    const { accessToken, refreshToken, lifetimeSeconds } = tokens
    const held: HeldTokens = { accessToken, refreshToken, expiresAt: Date.now() + lifetimeSeconds * 1000 }
    return { tokens: seal(held, id, 'tokens'), refreshAt: refreshTime(new Date(), tokens), claimedUntil: null, revision: { increment: 1 } }
  }

  return {
    async find(mailbox: MailboxOfPerson): Promise<Grant | null> {
      const where = keyOf(mailbox)
      const found = await db.read(office(mailbox.customerId)).mailGrant.findFirst({ where })
      if (!found) return null
      const { id, customerId, provider, revision, refreshAt, tokens } = found
      return { id, customerId, provider, revision, refreshAt, tokens: tokens && (open(tokens, id, 'tokens') as HeldTokens) }
    },

    /** Stores a begun authorization in place of an earlier one of the mailbox. Present tokens stay until they are replaced. */
    begin: (mailbox: MailboxOfPerson, begun: Begun): Promise<void> =>
      db.write(office(mailbox.customerId), async (tx) => {
        const key = keyOf(mailbox)
        const { id } = await tx.mailGrant.upsert({
          where: { customerId_userId_userEmail: key },
          create: { ...key, provider: begun.provider },
          update: {},
          select: { id: true },
        })
        await tx.mailGrant.update({ where: { id, ...key }, data: { begun: seal(begun, id, 'begun') } })
      }),

    /** Takes the authorization that was begun, if `isRight` accepts it. Of several concurrent callers only one gets it. */
    take: (mailbox: MailboxOfPerson, isRight: (begun: Begun) => boolean): Promise<Begun | undefined> =>
      db.write(office(mailbox.customerId), async (tx) => {
        const key = keyOf(mailbox)
        const found = await tx.mailGrant.findFirst({ where: key, select: { id: true, begun: true } })
        const begun = found?.begun && (open(found.begun, found.id, 'begun') as Begun)
        if (!found || !begun || !isRight(begun)) return undefined
        const { count } = await tx.mailGrant.updateMany({ where: { ...key, id: found.id, begun: found.begun }, data: { begun: null } })
        return count === 1 ? begun : undefined
      }),

    /** Stores an authorization again that was taken, unless another was begun meanwhile. */
    putBack: (mailbox: MailboxOfPerson, begun: Begun): Promise<void> =>
      db.write(office(mailbox.customerId), async (tx) => {
        const key = keyOf(mailbox)
        const found = await tx.mailGrant.findFirst({ where: key, select: { id: true } })
        if (found)
          await tx.mailGrant.updateMany({ where: { ...key, id: found.id, begun: null }, data: { begun: seal(begun, found.id, 'begun') } })
      }),

    /** Stores the tokens of a new authorization. */
    async put(tx: Tx, mailbox: MailboxOfPerson, provider: string, tokens: Tokens & { readonly refreshToken: string }): Promise<void> {
      const key = keyOf(mailbox)
      const found = await tx.mailGrant.findFirst({ where: key, select: { id: true } })
      const id = found?.id ?? (await tx.mailGrant.create({ data: { ...key, provider }, select: { id: true } })).id
      await tx.mailGrant.update({ where: { id, ...key }, data: { ...columnsOf(id, tokens), provider } })
    },

    /** Claims the refresh of the tokens: one caller at a time over all copies of the service. @returns whether the claim was granted */
    claim: async ({ id, customerId, revision }: Grant): Promise<boolean> => {
      const claimed = await db.write(
        office(customerId),
        (tx) => tx.$executeRaw`
          UPDATE mail_grants SET claimed_until = now() + ${claimSeconds}::int * interval '1 second'
          WHERE id = ${id} AND customer_id = ${customerId} AND revision = ${revision}
            AND (claimed_until IS NULL OR claimed_until < now())`,
      )
      return claimed === 1
    },

    release: ({ id, customerId, revision }: Grant): Promise<unknown> =>
      db.write(office(customerId), (tx) => tx.mailGrant.updateMany({ where: { id, customerId, revision }, data: { claimedUntil: null } })),

    /** Replaces the tokens by refreshed ones. @returns false where a new authorization has replaced them meanwhile, whose tokens stay */
    async replace({ id, customerId, revision }: Grant, tokens: Tokens & { readonly refreshToken: string }): Promise<boolean> {
      const data = columnsOf(id, tokens)
      const { count } = await db.write(office(customerId), (tx) => tx.mailGrant.updateMany({ where: { id, customerId, revision }, data }))
      return count === 1
    },

    /** Drops tokens that the provider has refused. @returns whether they were still the ones that are held */
    async drop({ id, customerId, revision }: Grant): Promise<boolean> {
      const data = { tokens: null, refreshAt: null, claimedUntil: null, revision: { increment: 1 } }
      const { count } = await db.write(office(customerId), (tx) => tx.mailGrant.updateMany({ where: { id, customerId, revision }, data }))
      return count === 1
    },

    /** Marks the access token as expired, whatever its lifetime. */
    async expire(grant: Grant & { readonly tokens: HeldTokens }): Promise<void> {
      const { id, customerId, revision } = grant
      const tokens = seal({ ...grant.tokens, expiresAt: 0 }, id, 'tokens')
      await db.write(office(customerId), (tx) =>
        tx.mailGrant.updateMany({ where: { id, customerId, revision }, data: { tokens, refreshAt: new Date(0) } }),
      )
    },

    /** Locks the grant of a mailbox. @returns the provider whose tokens it has; null where it has none */
    async lock(tx: Tx, { customerId, userId, userEmail }: MailboxOfPerson): Promise<string | null> {
      const [locked] = await tx.$queryRaw<{ provider: string; isHeld: boolean }[]>`
        SELECT provider, tokens IS NOT NULL AS "isHeld" FROM mail_grants
        WHERE customer_id = ${customerId} AND user_id = ${userId} AND user_email = ${userEmail} FOR UPDATE`
      return locked?.isHeld ? locked.provider : null
    },

    /** Removes the grant of a mailbox that no server uses any more. Tokens that the provider can revoke stay, encrypted and without a user, until it has. */
    async retire(tx: Tx, mailbox: MailboxOfPerson, isTakenBack: (provider: string) => boolean): Promise<void> {
      const where = keyOf(mailbox)
      const found = await tx.mailGrant.findFirst({ where, select: { id: true, customerId: true, provider: true, tokens: true } })
      if (!found?.tokens || !isTakenBack(found.provider)) return void (await tx.mailGrant.deleteMany({ where }))
      await tx.mailGrant.update({ where: { id: found.id, customerId: found.customerId }, data: { userId: null, begun: null } })
      await enqueueRevocation(tx, found)
    },

    async retired(customerId: Id, id: Id): Promise<RetiredGrant | null> {
      const found = await db.read(office(customerId)).mailGrant.findFirst({ where: { id, customerId, userId: null } })
      if (!found) return null
      const { userEmail, provider, tokens } = found
      return { id, customerId, userEmail, provider, refreshToken: tokens && (open(tokens, id, 'tokens') as HeldTokens).refreshToken }
    },

    /** Whether somebody of the office holds tokens of the provider for the same address. */
    async isHeldElsewhere({ customerId, userEmail, provider }: RetiredGrant): Promise<boolean> {
      const where = { customerId, userEmail, provider, userId: { not: null }, tokens: { not: null } }
      return (await db.read(office(customerId)).mailGrant.findFirst({ where, select: { id: true } })) !== null
    },

    forget: (tx: Tx, { id, customerId }: RetiredGrant) => tx.mailGrant.deleteMany({ where: { id, customerId, userId: null } }),

    sealed: (['begun', 'tokens'] as const).map(
      (column): SealedColumn => ({
        ...{ table: 'mail_grants', key: { column: 'id', type: 'bigint' }, column, sealer },
        identityOf: (id) => identity(id, column),
      }),
    ),
  }
}

export type GrantRepository = ReturnType<typeof grantRepository>
