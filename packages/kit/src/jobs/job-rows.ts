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
  /** The share whose turn was last: the claim begins with the next higher one. */
  readonly after: bigint
  /** The shares that occupy all of the slots that one share may: none of their jobs is claimed. */
  readonly without: readonly bigint[]
  /** How many more slots a share may occupy. */
  room(share: bigint): number
}

/** The result of a claim. */
export interface Claimed {
  readonly jobs: readonly ClaimedJob[]
  /** The share whose turn was last. */
  readonly last: bigint | undefined
  /** How many jobs it tried to claim. When these are fewer than `limit`, the next claim begins with the lowest share again. */
  readonly attempted: number
  /** Whether ready jobs of the shares from `after` on, apart from those of `without`, may be left. Jobs that were enqueued during the claim do not count. */
  readonly left: boolean
}

const columns = `id, fence, name, customer_id AS "customerId", client_id AS "clientId", share, key, payload, cursor, traceparent, tries, delays, irreversible`

const keyLock = "hashtextextended(name || ' ' || key, 0)"

/** Locks the next ready jobs, taking the shares in turn. The advisory lock of a key serializes claims of its jobs with their end (`release`). */
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
  SELECT id, share, place, key IS NULL OR pg_try_advisory_xact_lock(${keyLock}) AS free,
    place = (SELECT ceil($2::float8 / count(*))::int FROM turn) AS last FROM found ORDER BY place, share`

interface Candidate {
  readonly id: bigint
  readonly share: bigint
  /** Its place among the jobs of its share. */
  readonly place: bigint
  /** Whether the claim holds the lock of its key. */
  readonly free: boolean
  /** Whether it is the last one that was read of its share: more may follow. */
  readonly last: boolean
}

/**
 * Claims those of the given jobs that may run. A job is `held` while another job of its key has begun, or precedes it. The preceding job may not be among the
 * candidates: another claim may have locked its row without getting the advisory lock of the key.
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

const releaseNext = `
  WITH next AS (
    SELECT id FROM kit.job WHERE name = $1 AND key = $2 AND state IN ('ready', 'held') ORDER BY priority DESC, due, id LIMIT 1
  ), released AS (
    UPDATE kit.job SET state = 'ready' WHERE id IN (SELECT id FROM next) AND state = 'held'
  )
  SELECT id FROM next`

const proof = "id = $1 AND fence = $2 AND state = 'running'"

/** The table `kit.job`. `keep`, `finish`, `release`, `stop` and `lapsed` run in the transaction of the caller; the others have transactions of their own. */
export function jobRows(db: Database<unknown>) {
  const send = <Row>(text: string, values: unknown[] = []) => db.query(platform, CompiledQuery.raw(text, values) as CompiledQuery<Row>)

  /** Makes the next job of a key ready, after a job of the key has ended. @returns whether there is one; a claim of another copy may have left it ready */
  const release = async (name: string, key: string | null): Promise<boolean> => {
    if (key === null) return false
    const [, next] = await Promise.all([
      send("SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))", [name, key]),
      send(releaseNext, [name, key]),
    ])
    return next.length > 0
  }

  return {
    claim: ({ job, limit, after, without, room }: ClaimQuery): Promise<Claimed> =>
      db.write(platform, async () => {
        const found = await send<Candidate>(candidates, [job.name, limit, after, without])
        const ids = found.filter(({ free, share, place }) => free && place <= room(share)).map(({ id }) => id)
        const jobs = ids.length > 0 ? await send<ClaimedJob>(claim, [ids, job.leaseMs]) : []
        const left = ids.length < found.length || found.some(({ last }) => last)
        return { jobs, last: found.at(-1)?.share, attempted: ids.length, left }
      }),

    /** Renews leases. @returns the ids of the jobs whose claim is still valid */
    renew: (claims: readonly Claim[], leaseMs: readonly number[]): Promise<bigint[]> =>
      db.write(platform, async () => {
        const statement = `
          UPDATE kit.job SET lease_until = now() + claim.lease * interval '1 millisecond'
          FROM (SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[]) AS claim (id, fence, lease)) AS claim
          WHERE job.id = claim.id AND job.fence = claim.fence AND state = 'running' RETURNING job.id`
        const rows = await send<{ id: bigint }>(statement, [claims.map(({ id }) => id), claims.map(({ fence }) => fence), leaseMs])
        return rows.map(({ id }) => id)
      }),

    /** Updates the row of a job, which locks it: a valid claim stays valid until the transaction ends. @returns whether the claim is valid */
    async keep({ id, fence }: Claim, change: { cursor: unknown } | { irreversible: true }): Promise<boolean> {
      const set = 'cursor' in change ? 'cursor = $3::jsonb' : 'irreversible = $3'
      const value = 'cursor' in change ? JSON.stringify(change.cursor ?? null) : true
      const rows = await send(`UPDATE kit.job SET ${set} WHERE ${proof} RETURNING id`, [id, fence, value])
      return rows.length === 1
    },

    /** Ends the job as done. @returns whether the claim is valid; otherwise nothing changes */
    async finish({ id, fence }: Claim): Promise<boolean> {
      const statement = `UPDATE kit.job SET state = 'done', finished = now(), lease_until = NULL WHERE ${proof} RETURNING id`
      return (await send(statement, [id, fence])).length === 1
    },

    release,

    /** As `finish`, by group commit, for jobs that have no key and write nothing when they finish. */
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

    /** Ends a run that did not finish the job, as `verdict` says. @returns whether the claim is valid; otherwise nothing changes */
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

    /** A running job whose lease has expired, locked until the transaction ends. */
    async lapsed(names: readonly string[]): Promise<ClaimedJob | undefined> {
      const statement = `
        SELECT ${columns} FROM kit.job WHERE state = 'running' AND lease_until < now() AND name = ANY ($1)
        ORDER BY lease_until LIMIT 1 FOR UPDATE SKIP LOCKED`
      return (await send<ClaimedJob>(statement, [names]))[0]
    },

    /** Makes up to 1,000 waiting jobs ready whose `run_at` has passed. @returns how many */
    promote: () =>
      db.write(platform, async () => {
        const due = "SELECT id FROM kit.job WHERE state = 'waiting' AND run_at <= now() ORDER BY run_at LIMIT 1000 FOR UPDATE SKIP LOCKED"
        return (await send(`UPDATE kit.job SET state = 'ready' WHERE id IN (${due}) RETURNING id`)).length
      }),

    /** Reads what a worker with these kinds of jobs and schedules has to do now, and when to look again. */
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
  /** Whether there are waiting jobs whose `run_at` has passed. */
  readonly due: boolean
  /** Whether there are running jobs whose lease has expired. */
  readonly lapsed: boolean
  /** Whether a schedule has to tick, or has no row yet. */
  readonly ticks: boolean
  /** The names of the kinds that have ready jobs. */
  readonly ready: readonly string[]
  /** Milliseconds until a job is due, a lease expires or a schedule ticks, negative when one has; null when there is none of these. */
  readonly nextMs: number | null
}

export type JobRows = ReturnType<typeof jobRows>
