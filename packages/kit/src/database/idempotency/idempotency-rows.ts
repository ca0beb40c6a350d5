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
  /** As it was sent. Only its hash is stored, for it is the key of the digest. */
  readonly key: string
}

export interface Held {
  readonly digest: string
  /** Not there while the first request is being worked on. */
  readonly answer: Answer | undefined
  /** Whether the lease of a claim has ended. */
  readonly lapsed: boolean
}

/** Of a row without an answer. */
export interface Lease {
  readonly claim: string
  readonly leaseMs: number
}

const columnsOf = ({ caller, route, key }: RowId) => [caller, route, hash('sha256', key, 'base64url')]

/**
 * Takes the key until the end of the transaction, before which `insertRow` writes its row. It fails where the key is held: by a row, or by a
 * transaction that has not ended. See `isHeld`.
 */
export const takeKey = (id: RowId): BatchStatement => CompiledQuery.raw('SELECT kit.take_idempotency_key($1, $2, $3)', columnsOf(id))

/** Whether `error` is that a key is held. */
export const isHeld = (error: unknown): boolean => violates(error, 'idempotency_key_pkey')

/** The row of a key that this transaction has taken, with its answer or with a lease. */
export function insertRow(id: RowId, digest: string, { status, headers, body, claim, leaseMs }: Partial<Answer & Lease>): BatchStatement {
  const statement = `
    INSERT INTO kit.idempotency_key (caller, route, key, body_hash, status, headers, body, claim, claimed_until)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9::int * interval '1 millisecond')`
  return CompiledQuery.raw(statement, [...columnsOf(id), digest, status, headers, body, claim, leaseMs])
}

/** The table of the keys. What it writes belongs to the transaction that is running. */
export function idempotencyRows(db: Database<unknown>) {
  const send = <Row>(text: string, values: unknown[]) => db.query(platform, CompiledQuery.raw(text, values) as CompiledQuery<Row>)

  return {
    async held(id: RowId): Promise<Held | undefined> {
      const statement = `
        SELECT body_hash AS digest, status, headers, body, coalesce(claimed_until <= now(), false) AS lapsed FROM kit.idempotency_key
        WHERE caller = $1 AND route = $2 AND key = $3`
      const [row] = await send<Omit<Held, 'answer'> & { [Name in keyof Answer]: Answer[Name] | null }>(statement, columnsOf(id))
      if (!row) return undefined
      const { digest, lapsed, status, headers, body } = row
      return { digest, lapsed, answer: status === null ? undefined : { status, headers: headers ?? {}, body: body ?? '' } }
    },

    /** The answer of a claim, while it is still that one. */
    async keep(id: RowId, { status, headers, body }: Answer, claim: string): Promise<void> {
      const statement = `
        UPDATE kit.idempotency_key SET status = $4, headers = $5, body = $6
        WHERE caller = $1 AND route = $2 AND key = $3 AND claim = $7::uuid`
      await send(statement, [...columnsOf(id), status, headers, body, claim])
    },

    /** The next request with the key is the first one again. */
    async free(id: RowId, claim: string): Promise<void> {
      await send('DELETE FROM kit.idempotency_key WHERE caller = $1 AND route = $2 AND key = $3 AND claim = $4::uuid', [
        ...columnsOf(id),
        claim,
      ])
    },

    /** Ends the lease: the outcome of the request is unknown. */
    async abandon(id: RowId, claim: string): Promise<void> {
      const statement = `
        UPDATE kit.idempotency_key SET claimed_until = now() WHERE caller = $1 AND route = $2 AND key = $3 AND claim = $4::uuid`
      await send(statement, [...columnsOf(id), claim])
    },
  }
}
