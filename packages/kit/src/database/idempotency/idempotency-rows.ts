import { hash } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import type { Answer } from '../../idempotency/index.js'
import { platform } from '../scope.js'
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

interface Claim {
  readonly claim: string
  readonly leaseMs: number
}

const columnsOf = ({ caller, route, key }: RowId) => [caller, route, hash('sha256', key, 'base64url')]

/** The table of the keys. Its statements belong to the transaction that is running. */
export function idempotencyRows(db: Database<unknown>) {
  const send = <Row>(text: string, values: unknown[]) => db.query(platform, CompiledQuery.raw(text, values) as CompiledQuery<Row>)

  return {
    /**
     * Takes the key, unless it is held: by a row, or by a transaction that has not ended. The lock shows the latter without waiting, as the
     * unique index would, with a connection in hand.
     * @returns whether it was taken
     */
    async insert(id: RowId, digest: string, { claim, leaseMs }: Partial<Claim> = {}): Promise<boolean> {
      const statement = `
        WITH turn AS (SELECT pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', $1::text, $2::text, $3::text), 0)) AS mine)
        INSERT INTO kit.idempotency_key AS held (caller, route, key, body_hash, claim, claimed_until)
        SELECT $1, $2, $3, $4, $5::uuid, now() + $6::int * interval '1 millisecond' FROM turn WHERE mine
        ON CONFLICT (caller, route, key) DO UPDATE SET
          body_hash = excluded.body_hash, claim = excluded.claim, claimed_until = excluded.claimed_until,
          status = NULL, headers = NULL, body = NULL, created = now()
        WHERE held.created < now() - interval '24 hours'
        RETURNING true`
      return (await send(statement, [...columnsOf(id), digest, claim ?? null, leaseMs ?? null])).length === 1
    },

    async held(id: RowId): Promise<Held | undefined> {
      const statement = `
        SELECT body_hash AS digest, status, headers, body, coalesce(claimed_until <= now(), false) AS lapsed FROM kit.idempotency_key
        WHERE caller = $1 AND route = $2 AND key = $3`
      const [row] = await send<Omit<Held, 'answer'> & { [Name in keyof Answer]: Answer[Name] | null }>(statement, columnsOf(id))
      if (!row) return undefined
      const { digest, lapsed, status, headers, body } = row
      return { digest, lapsed, answer: status === null ? undefined : { status, headers: headers ?? {}, body: body ?? '' } }
    },

    /** Of a claim only while it is still that one. */
    async keep(id: RowId, { status, headers, body }: Answer, claim?: string): Promise<void> {
      const statement = `
        UPDATE kit.idempotency_key SET status = $4, headers = $5, body = $6
        WHERE caller = $1 AND route = $2 AND key = $3 AND claim IS NOT DISTINCT FROM $7::uuid`
      await send(statement, [...columnsOf(id), status, headers, body, claim ?? null])
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
