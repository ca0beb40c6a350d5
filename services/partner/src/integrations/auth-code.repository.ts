import { randomUUID } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import { unavailable } from '@caseway/kit/errors'
import type { Db, Tx } from '../database.js'
import { digestOf, type Outcome } from './auth-code.js'

/** Longer than an exchange may last. Afterwards the code may be tried again: the process that had it has died. */
const leaseMs = 15_000

/** That a code is being exchanged by nobody else. */
export interface Claim {
  readonly hash: Buffer<ArrayBuffer>
  readonly id: string
}

/** `elsewhere`: another office has posted it. */
export type Found = Claim | Outcome | 'in flight' | 'elsewhere'

export const isClaim = (found: Found): found is Claim => typeof found === 'object' && 'hash' in found

/**
 * Codes that were posted, by their hashes. The platform keeps them: a code is posted by one office, whichever it is. Their outcomes are in the types
 * of JSON, with ids as texts.
 */
export const authCodeRepository = (db: Db) => {
  /** Undefined when there is none: whoever had it got no outcome. */
  const find = async (customerId: Id, code: string): Promise<Exclude<Found, Claim> | undefined> => {
    const found = await db.read(platform).authCode.findFirst({ where: { hash: digestOf(code) } })
    if (!found) return undefined
    if (found.customerId !== customerId) return 'elsewhere'
    return found.outcome === null ? 'in flight' : fromJson(found.outcome)
  }

  /** In the transaction of what it is about. @throws AppError `unavailable` when the lease has ended and another one has the code */
  const settle = async (tx: Tx, { hash, id: claim }: Claim, outcome: Outcome): Promise<void> => {
    const integrationId = 'id' in outcome ? outcome.id : null
    const { count } = await tx.authCode.updateMany({ where: { hash, claim }, data: { outcome: toJson(outcome), integrationId } })
    if (count !== 1) throw unavailable()
  }

  return {
    find,
    settle,
    settleAlone: (claim: Claim, outcome: Outcome): Promise<void> => db.write(platform, (tx) => settle(tx, claim, outcome)),

    /** Of many at once one gets the claim. */
    async claim(customerId: Id, code: string): Promise<Found | undefined> {
      const claim = { hash: digestOf(code), id: randomUUID() }
      const claimed = await db.write(
        platform,
        (tx) => tx.$executeRaw`
          INSERT INTO auth_codes (hash, customer_id, claim, claimed_until)
          VALUES (${claim.hash}, ${customerId}, ${claim.id}::uuid, now() + ${leaseMs}::int * interval '1 millisecond')
          ON CONFLICT (hash) DO UPDATE SET claim = excluded.claim, claimed_until = excluded.claimed_until
          WHERE auth_codes.outcome IS NULL AND auth_codes.claimed_until < now() AND auth_codes.customer_id = excluded.customer_id`,
      )
      return claimed === 1 ? claim : find(customerId, code)
    },

    /** Nothing came of it: it may be posted again. */
    release: ({ hash, id: claim }: Claim) => db.write(platform, (tx) => tx.authCode.deleteMany({ where: { hash, claim } })),

    /** The code of an integration that is being deleted leads nowhere. */
    forget: (tx: Tx, customerId: Id, integrationId: Id) =>
      tx.authCode.updateMany({ where: { customerId, integrationId }, data: { outcome: { kind: 'refusal', refusal: 'deleted' } } }),
  }
}

const toJson = (outcome: Outcome) =>
  JSON.parse(JSON.stringify(outcome, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))

function fromJson(stored: unknown): Outcome {
  const outcome = stored as { id?: string; modified?: string }
  return {
    ...outcome,
    ...(outcome.id !== undefined && { id: BigInt(outcome.id) }),
    ...(outcome.modified !== undefined && { modified: new Date(outcome.modified) }),
  } as Outcome
}

export type AuthCodeRepository = ReturnType<typeof authCodeRepository>
