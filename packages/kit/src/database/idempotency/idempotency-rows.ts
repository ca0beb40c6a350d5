import { hash } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import type { Answer } from '../../idempotency/index.js'
import { violates } from '../errors.js'
import { platform } from '../scope.js'
import type { BatchStatement } from '../statements/batch-statement.js'
import type { Database } from '../types.js'

export interface RowId {
  readonly caller: string
  readonly route: string
  /** The key as the client sent it. Only its hash is stored, because the digest of the body is keyed with it. */
  readonly key: string
}

/** The row of a key that is in use. */
export interface Held {
  /** The digest of the first request, for comparison with a later one. */
  readonly digest: string
  /** Undefined while the first request has no answer. */
  readonly answer: Answer | undefined
  /** Whether the lease of a claim has expired. */
  readonly lapsed: boolean
}

/** The claim of a row without an answer, in mode `claimed`. */
export interface Lease {
  readonly claim: string
  readonly leaseMs: number
}

const columnsOf = ({ caller, route, key }: RowId) => [caller, route, hash('sha256', key, 'base64url')]

/**
 * The statement that locks a key until the transaction ends; `insertRow` must follow in the same transaction. It fails when the key has a row, or another
 * transaction has locked it. See `isHeld`.
 */
export const takeKey = (id: RowId): BatchStatement => CompiledQuery.raw('SELECT kit.take_idempotency_key($1, $2, $3)', columnsOf(id))

/** Whether `error` says that `takeKey` failed because the key is in use. */
export const isHeld = (error: unknown): boolean => violates(error, 'idempotency_key_pkey')

/** The statement that inserts the row of a key which the transaction has locked, with its answer or with a lease. */
export function insertRow(id: RowId, digest: string, { status, headers, body, claim, leaseMs }: Partial<Answer & Lease>): BatchStatement {
  const statement = `
    INSERT INTO kit.idempotency_key (caller, route, key, body_hash, status, headers, body, claim, claimed_until)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9::int * interval '1 millisecond')`
  return CompiledQuery.raw(statement, [...columnsOf(id), digest, status, headers, body, claim, leaseMs])
}

/** The table `kit.idempotency_key`. Writes run in the transaction of the caller. */
export function idempotencyRows(db: Database<unknown>) {
  const send = <Row>(text: string, values: unknown[]) => db.query(platform, CompiledQuery.raw(text, values) as CompiledQuery<Row>)

  return {
    /** The row of the key, or undefined. */
    async held(id: RowId): Promise<Held | undefined> {
      const statement = `
        SELECT body_hash AS digest, status, headers, body, coalesce(claimed_until <= now(), false) AS lapsed FROM kit.idempotency_key
        WHERE caller = $1 AND route = $2 AND key = $3`
      const [row] = await send<Omit<Held, 'answer'> & { [Name in keyof Answer]: Answer[Name] | null }>(statement, columnsOf(id))
      if (!row) return undefined
      const { digest, lapsed, status, headers, body } = row
      return { digest, lapsed, answer: status === null ? undefined : { status, headers: headers ?? {}, body: body ?? '' } }
    },

    /** Stores the answer of a claimed request, unless another claim has the key by now. */
    async keep(id: RowId, { status, headers, body }: Answer, claim: string): Promise<void> {
      const statement = `
        UPDATE kit.idempotency_key SET status = $4, headers = $5, body = $6
        WHERE caller = $1 AND route = $2 AND key = $3 AND claim = $7::uuid`
      await send(statement, [...columnsOf(id), status, headers, body, claim])
    },

    /** Deletes the row, so that a repetition of the request is carried out. */
    async free(id: RowId, claim: string): Promise<void> {
      await send('DELETE FROM kit.idempotency_key WHERE caller = $1 AND route = $2 AND key = $3 AND claim = $4::uuid', [
        ...columnsOf(id),
        claim,
      ])
    },

    /** Ends the lease at once, because the outcome of the request is unknown. */
    async abandon(id: RowId, claim: string): Promise<void> {
      const statement = `
        UPDATE kit.idempotency_key SET claimed_until = now() WHERE caller = $1 AND route = $2 AND key = $3 AND claim = $4::uuid`
      await send(statement, [...columnsOf(id), claim])
    },
  }
}
