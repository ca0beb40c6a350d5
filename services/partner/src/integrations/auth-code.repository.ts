import { randomUUID } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import { unavailable } from '@caseway/kit/errors'
import type { Db, Tx } from '../database.js'
import { digestOf, type Outcome } from './auth-code.js'

/** The lease of a claim, in milliseconds: longer than any exchange. After it the process is taken for dead, and the code may be tried again. */
const leaseMs = 15_000

/** The exclusive claim to exchange a code. */
export interface Claim {
  readonly hash: Buffer<ArrayBuffer>
  readonly id: string
}

/** `elsewhere`: another office has posted it. */
export type Found = Claim | Outcome | 'in flight' | 'elsewhere'

export const isClaim = (found: Found): found is Claim => typeof found === 'object' && 'hash' in found

/**
 * Codes that were posted, by their hashes, with their outcomes as JSON, in which ids are texts. The rows are in the scope of the platform, because a code
 * that one office has posted must be refused to all others.
 */
export const authCodeRepository = (db: Db) => {
  /** The outcome of a code; undefined where the request that had claimed it has ended without one. */
  const find = async (customerId: Id, code: string): Promise<Exclude<Found, Claim> | undefined> => {
    const found = await db.read(platform).authCode.findFirst({ where: { hash: digestOf(code) } })
    if (!found) return undefined
    if (found.customerId !== customerId) return 'elsewhere'
    return found.outcome === null ? 'in flight' : fromJson(found.outcome)
  }

  /** Stores the outcome, in the transaction of its effect. @throws AppError `unavailable` where the claim has expired and another request has the code */
  const settle = async (tx: Tx, { hash, id: claim }: Claim, outcome: Outcome): Promise<void> => {
    const integrationId = 'id' in outcome ? outcome.id : null
    const { count } = await tx.authCode.updateMany({ where: { hash, claim }, data: { outcome: toJson(outcome), integrationId } })
    if (count !== 1) throw unavailable()
  }

  return {
    find,
    settle,
    settleAlone: (claim: Claim, outcome: Outcome): Promise<void> => db.write(platform, (tx) => settle(tx, claim, outcome)),

    /** Claims a code. One of several concurrent requests gets the claim; the others what was found. */
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

    /** Releases a claim without an outcome, so that the code may be posted again. */
    release: ({ hash, id: claim }: Claim) => db.write(platform, (tx) => tx.authCode.deleteMany({ where: { hash, claim } })),

    /** Replaces the outcome by the refusal `deleted`, when the integration is deleted. */
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
