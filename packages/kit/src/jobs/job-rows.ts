import { CompiledQuery } from 'kysely'
import { type Database, groupCommit, platform, storableText } from '../database/index.js'
import type { Claim } from './claim.js'
import type { Job, Progress, Verdict } from './job.js'

export interface ClaimedJob extends Claim, Progress {
  readonly name: string
  readonly customerId: bigint | null
  readonly clientId: bigint | null
  /** The unit of fair scheduling (column `share` of `kit.job`): the office's id, a client's negative id, or 0 for jobs of the platform. */
  readonly share: bigint
  readonly key: string | null
  readonly payload: unknown
  readonly cursor: unknown
  readonly traceparent: string | null
}

export interface ClaimQuery {
  readonly job: Job<never>
  readonly limit: number
  /** The share that had its turn last: the next higher one comes first. */
  readonly after: bigint
  /** The shares that hold as many slots as one share may: nothing of them is claimed. */
  readonly without: readonly bigint[]
  /** How many more slots a share may occupy. */
  room(share: bigint): number
}

const columns = `id, fence, name, customer_id AS "customerId", client_id AS "clientId", share, key, payload, cursor, traceparent, tries, delays, irreversible`

const keyLock = "hashtextextended(name || ' ' || key, 0)"

/** The next ready jobs, one of each share in turn. The lock of a key orders claims with the ends of its jobs (`release`). */
const candidates = `
  WITH RECURSIVE turn AS (
    (SELECT share, 1 AS nth FROM kit.job
     WHERE name = $1 AND state = 'ready' AND share > $3 AND share <> ALL ($4::bigint[]) ORDER BY share LIMIT 1)
    UNION ALL
    SELECT next.share, turn.nth + 1 FROM turn CROSS JOIN LATERAL (
      SELECT share FROM kit.job
      WHERE name = $1 AND state = 'ready' AND job.share > turn.share AND share <> ALL ($4::bigint[]) ORDER BY share LIMIT 1
    ) AS next WHERE turn.nth < $2::int
  ), found AS MATERIALIZED (
    SELECT job.*, row_number() OVER (PARTITION BY job.share ORDER BY priority DESC, due, id) AS place
    FROM turn CROSS JOIN LATERAL (
      SELECT id, share, name, key, priority, due FROM kit.job
      WHERE name = $1 AND state = 'ready' AND job.share = turn.share
      ORDER BY priority DESC, due, id LIMIT (SELECT ceil($2::float8 / count(*))::int FROM turn) FOR UPDATE SKIP LOCKED
    ) AS job ORDER BY place, share LIMIT $2
  )
  SELECT id, share, place, key IS NULL OR pg_try_advisory_xact_lock(${keyLock}) AS free FROM found ORDER BY place, share`

/**
 * A job is held while another job of its key has begun, or comes first, until that one has ended. The first one may be locked at this moment, by a claim that
 * did not get the lock of the key.
 */
const claim = `
  WITH listed AS (
    SELECT id, name, key, fence FROM unnest($1::bigint[]) AS candidate (id) JOIN kit.job USING (id)
  ), decided AS (
    SELECT id, key IS NULL OR fence > 0 OR (
      NOT EXISTS (
        SELECT FROM kit.job AS begun WHERE begun.name = listed.name AND begun.key = listed.key
        AND begun.fence > 0 AND begun.state IN ('waiting', 'ready', 'running'))
      AND id = (
        SELECT next.id FROM kit.job AS next WHERE next.name = listed.name AND next.key = listed.key AND next.state IN ('ready', 'held')
        ORDER BY next.priority DESC, next.due, next.id LIMIT 1)) AS runs
    FROM listed
  ), held AS (
    UPDATE kit.job SET state = 'held' WHERE id IN (SELECT id FROM decided WHERE NOT runs)
  )
  UPDATE kit.job SET state = 'running', fence = fence + 1, tries = tries + 1, dedupe = NULL, error = NULL,
    lease_until = now() + $2::int * interval '1 millisecond'
  WHERE id IN (SELECT id FROM decided WHERE runs) RETURNING ${columns}`

const proof = "id = $1 AND fence = $2 AND state = 'running'"

/** The table of the jobs. Statements between a claim and its end belong to the transaction that is running. */
export function jobRows(db: Database<unknown>) {
  const send = <Row>(text: string, values: unknown[] = []) => db.query(platform, CompiledQuery.raw(text, values) as CompiledQuery<Row>)

  /** The end of a job lets the next one of its key begin. */
  const release = async (name: string, key: string | null) => {
    if (key === null) return
    await send("SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))", [name, key])
    const next = "SELECT id FROM kit.job WHERE name = $1 AND key = $2 AND state = 'held' ORDER BY priority DESC, due, id LIMIT 1"
    await send(`UPDATE kit.job SET state = 'ready' WHERE id = (${next}) RETURNING id`, [name, key])
  }

  return {
    /**
     * @returns the jobs that were claimed, whose share was the last to have its turn, and how many ready jobs were looked at: when those are
     * fewer than `limit` there are no more after `after`
     */
    claim: ({ job, limit, after, without, room }: ClaimQuery) =>
      db.write(platform, async () => {
        const found = await send<{ id: bigint; share: bigint; place: bigint; free: boolean }>(candidates, [job.name, limit, after, without])
        const ids = found.filter(({ free, share, place }) => free && place <= room(share)).map(({ id }) => id)
        const jobs = ids.length > 0 ? await send<ClaimedJob>(claim, [ids, job.leaseMs]) : []
        return { jobs, last: found.at(-1)?.share, seen: ids.length }
      }),

    /** Prolongs leases. @returns the ids of the claims that still hold */
    renew: (claims: readonly Claim[], leaseMs: readonly number[]): Promise<bigint[]> =>
      db.write(platform, async () => {
        const statement = `
          UPDATE kit.job SET lease_until = now() + claim.lease * interval '1 millisecond'
          FROM (SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[]) AS claim (id, fence, lease)) AS claim
          WHERE job.id = claim.id AND job.fence = claim.fence AND state = 'running' RETURNING job.id`
        const rows = await send<{ id: bigint }>(statement, [claims.map(({ id }) => id), claims.map(({ fence }) => fence), leaseMs])
        return rows.map(({ id }) => id)
      }),

    /** Proves that the claim holds, and keeps it from being lost until the transaction ends. @returns whether it does */
    async keep({ id, fence }: Claim, change: { cursor: unknown } | { irreversible: true }): Promise<boolean> {
      const set = 'cursor' in change ? 'cursor = $3::jsonb' : 'irreversible = $3'
      const value = 'cursor' in change ? JSON.stringify(change.cursor ?? null) : true
      const rows = await send(`UPDATE kit.job SET ${set} WHERE ${proof} RETURNING id`, [id, fence, value])
      return rows.length === 1
    },

    /** Ends the job. @returns false when the claim no longer holds */
    async finish({ id, fence }: Claim): Promise<boolean> {
      const statement = `UPDATE kit.job SET state = 'done', finished = now(), lease_until = NULL WHERE ${proof} RETURNING id`
      return (await send(statement, [id, fence])).length === 1
    },

    release,

    /** As `finish`, for jobs without a key and without an effect, in a transaction that several share. */
    finishAlone: groupCommit((claims: readonly Claim[]) =>
      db.detached.write(platform, async () => {
        const statement = `
          UPDATE kit.job SET state = 'done', finished = now(), lease_until = NULL
          FROM (SELECT * FROM unnest($1::bigint[], $2::int[]) AS claim (id, fence)) AS claim
          WHERE job.id = claim.id AND job.fence = claim.fence AND state = 'running' RETURNING job.id`
        const rows = await send<{ id: bigint }>(statement, [claims.map(({ id }) => id), claims.map(({ fence }) => fence)])
        const held = new Set(rows.map(({ id }) => id))
        return claims.map(({ id }) => held.has(id))
      }),
    ),

    /** Ends a run that did not finish the job. @returns false when the claim no longer holds */
    async stop({ id, fence, name, key }: ClaimedJob, verdict: Verdict, error: unknown): Promise<boolean> {
      const { afterMs, counted } = verdict.state === 'waiting' ? verdict : { afterMs: null, counted: true }
      const statement = `
        UPDATE kit.job SET state = $3, run_at = coalesce(now() + $4::float8 * interval '1 millisecond', run_at),
          stopped = CASE WHEN $4 IS NULL THEN now() END, error = $5, irreversible = $3 = 'uncertain', lease_until = NULL,
          tries = tries - $6::int, delays = CASE WHEN $6 > 0 THEN delays + 1 ELSE 0 END
        WHERE ${proof} RETURNING id`
      const held = (await send(statement, [id, fence, verdict.state, afterMs, storableText(String(error)), counted ? 0 : 1])).length === 1
      if (held && afterMs === null) await release(name, key)
      return held
    },

    /** A job whose worker has not renewed its lease, locked for the transaction that is running. */
    async lapsed(names: readonly string[]): Promise<ClaimedJob | undefined> {
      const statement = `
        SELECT ${columns} FROM kit.job WHERE state = 'running' AND lease_until < now() AND name = ANY ($1)
        ORDER BY lease_until LIMIT 1 FOR UPDATE SKIP LOCKED`
      return (await send<ClaimedJob>(statement, [names]))[0]
    },

    /** Makes the waiting jobs ready whose moment has come. @returns how many */
    promote: () =>
      db.write(platform, async () => {
        const due = "SELECT id FROM kit.job WHERE state = 'waiting' AND run_at <= now() ORDER BY run_at LIMIT 1000 FOR UPDATE SKIP LOCKED"
        return (await send(`UPDATE kit.job SET state = 'ready' WHERE id IN (${due}) RETURNING id`)).length
      }),

    /** What there is to do, in one read. */
    async look(names: readonly string[], schedules: readonly string[]): Promise<Outlook> {
      const statement = `
        SELECT EXISTS (SELECT FROM kit.job WHERE state = 'waiting' AND run_at <= now()) AS due,
          EXISTS (SELECT FROM kit.job WHERE state = 'running' AND lease_until < now()) AS lapsed,
          (SELECT count(*) FROM kit.schedule WHERE name = ANY ($2) AND next > now()) < cardinality($2::text[]) AS ticks,
          ARRAY(SELECT name FROM unnest($1::text[]) AS name WHERE EXISTS (
            SELECT FROM kit.job WHERE job.name = name.name AND state = 'ready')) AS ready,
          extract(epoch FROM least(
            (SELECT min(run_at) FROM kit.job WHERE state = 'waiting'),
            (SELECT min(lease_until) FROM kit.job WHERE state = 'running'),
            (SELECT min(next) FROM kit.schedule WHERE name = ANY ($2))) - now())::float8 * 1000 AS "nextMs"`
      return (await send<Outlook>(statement, [names, schedules]))[0] as Outlook
    },
  }
}

export interface Outlook {
  /** Jobs wait whose moment has come. */
  readonly due: boolean
  /** Jobs run whose lease has ended. */
  readonly lapsed: boolean
  /** A schedule has to tick, or is not known yet. */
  readonly ticks: boolean
  /** The kinds of work of which jobs are ready. */
  readonly ready: readonly string[]
  /** How long until a job is due, a lease ends or a schedule ticks; null when nothing of that will happen by itself. */
  readonly nextMs: number | null
}

export type JobRows = ReturnType<typeof jobRows>
