import { platform } from '@caseway/kit/database'
import type { Running } from '@caseway/kit/events'
import { type JobHandler, startJobs } from '@caseway/kit/jobs'
import { createLog } from '@caseway/kit/observability'
import { kitTables, type PurgeOptions, type PurgeRule, purge as purgeOf } from '@caseway/kit/purge'
import { eventually } from '@caseway/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { log, type Notes, notesDatabase } from '../support/notes.js'

let notes: Notes
const purges: Running[] = []
beforeEach(async () => {
  notes = await notesDatabase()
})
afterEach(async () => {
  await Promise.all(purges.splice(0).map((purge) => purge.stop()))
  await notes.stop()
})

type Work = JobHandler<unknown>['work']

/** Runs the purge like a copy of the service; `around` wraps each run. */
function purge(rules: readonly PurgeRule[] = kitTables, options: Partial<PurgeOptions> = {}, around?: (work: Work) => Work) {
  const { db, metrics } = notes
  const handler = purgeOf({ db, rules, log, metrics, when: { every: 60 }, ...options })
  const handlers = [{ ...handler, work: around?.(handler.work) ?? handler.work }]
  const started = startJobs({ db, handlers, log, metrics, pollMs: 20, graceMs: 1 })
  purges.push(started)
  return started
}
const passes = async (outcome: string, column = 'created') => {
  const { values } = await notes.metrics.purgePasses.get()
  return values.filter(({ labels }) => labels.outcome === outcome && labels.column === column).reduce((sum, { value }) => sum + value, 0)
}
const onePass = () => eventually(async () => expect(await passes('done')).toBeGreaterThanOrEqual(3))
const keyOf = 'INSERT INTO kit.idempotency_key (caller, route, key, body_hash, created)'

const inbox: PurgeRule = { table: 'kit.inbox', column: 'created', keepMs: 1000, chunk: 10 }
const addToInbox = (count: number, age = '1 hour') =>
  notes.rows(`INSERT INTO kit.inbox SELECT 'c', gen_random_uuid(), now() - $2::interval FROM generate_series(1, $1::int)`, [count, age])
const left = async () => (await notes.rows('SELECT FROM kit.inbox')).length

describe('the purge of the kit', () => {
  it('keeps idempotency keys for 24 hours', async () => {
    const ages = ['23 hours 59 minutes', '24 hours 1 minute']
    await notes.rows(`${keyOf} SELECT 'c', 'r', age, '', now() - age::interval FROM unnest($1::text[]) age`, [ages])
    purge()
    await onePass()
    expect(await notes.rows('SELECT key FROM kit.idempotency_key')).toEqual([{ key: '23 hours 59 minutes' }])
  })

  it('keeps inbox rows for 30 days and dead letters for 90', async () => {
    await addToInbox(1, '29 days 23 hours')
    await addToInbox(1, '30 days 1 hour')
    await notes.rows(
      `INSERT INTO kit.dead_letter (consumer, event_id, topic, key, payload, headers, time, error, created)
       SELECT age, gen_random_uuid(), 't', 'k', '', '{}', now(), 'e', now() - age::interval
       FROM unnest(ARRAY['89 days 23 hours', '90 days 1 hour']) age`,
    )
    purge()
    await onePass()
    expect(await left()).toBe(1)
    expect(await notes.rows('SELECT consumer FROM kit.dead_letter')).toEqual([{ consumer: '89 days 23 hours' }])
  })

  it('keeps jobs that are done for a day, and those that have failed or are uncertain for 90', async () => {
    await notes.rows(
      `INSERT INTO kit.job (name, payload, priority, state, due, run_at, finished, stopped)
       SELECT name, 'null', 0, state, now(), now(), CASE state WHEN 'done' THEN now() - age END, CASE state WHEN 'done' THEN NULL ELSE now() - age END
       FROM (VALUES ('kept', 'done', interval '23 hours 59 minutes'), ('gone', 'done', interval '24 hours 1 minute'),
         ('kept', 'failed', interval '89 days 23 hours'), ('gone', 'failed', interval '90 days 1 hour'),
         ('kept', 'uncertain', interval '89 days 23 hours'), ('gone', 'uncertain', interval '90 days 1 hour')) AS jobs (name, state, age)`,
    )
    purge()
    await onePass()
    await eventually(async () => expect(await notes.rows("SELECT FROM kit.job WHERE name = 'gone'")).toEqual([]))
    expect(await notes.rows("SELECT FROM kit.job WHERE name = 'kept'")).toHaveLength(3)
  })

  it('removes events that an older relay has marked as published, and no unpublished ones', async () => {
    await notes.rows(
      `INSERT INTO kit.outbox (topic, key, payload, created, published_at)
       VALUES ('marked', 'k', '', now(), now() - interval '1 second'), ('waiting', 'k', '', now() - interval '1 year', NULL)`,
    )
    purge()
    await eventually(async () => expect(await notes.rows('SELECT topic FROM kit.outbox')).toEqual([{ topic: 'waiting' }]))
  })
})

describe('a purge', () => {
  it('deletes all expired rows, in chunks with a transaction each', async () => {
    await addToInbox(95)
    await addToInbox(5, '0 seconds')
    // Records the transaction of each deleted row.
    await notes.rows('CREATE TABLE deleted (xid xid8)')
    await notes.rows('GRANT ALL ON deleted TO PUBLIC')
    await notes.rows(`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN INSERT INTO public.deleted VALUES (pg_current_xact_id()); RETURN NULL; END'`)
    await notes.rows('CREATE TRIGGER note AFTER DELETE ON kit.inbox FOR EACH ROW EXECUTE FUNCTION note()')
    purge([{ ...inbox, keepMs: 60_000 }])
    await eventually(async () => expect(await left()).toBe(5))
    const sizes = await notes.rows<{ size: number }>('SELECT count(*)::int AS size FROM deleted GROUP BY xid ORDER BY 1')
    expect(sizes.map(({ size }) => size)).toEqual([5, 10, 10, 10, 10, 10, 10, 10, 10, 10])
    expect((await notes.metrics.purgedRows.get()).values).toMatchObject([{ labels: { table: 'kit.inbox' }, value: 95 }])
  })

  it('scans an index, and begins each chunk where the previous one ended', async () => {
    await addToInbox(5000)
    // Records the statements, which are explained below.
    const sent: string[] = []
    const query: typeof notes.db.query = (scoped, statement) => {
      sent.push(statement.sql)
      return notes.db.query(scoped, statement)
    }
    const purging = purge([{ ...inbox, chunk: 2500 }], { db: { ...notes.db, query } })
    await eventually(async () => expect(await left()).toBe(0))
    await purging.stop()
    expect(sent[0]).not.toContain('$2')
    expect(sent[1]).toContain('created >= $2')
    await addToInbox(5000)
    await notes.rows('ANALYZE kit.inbox')
    const plan = await notes.rows<{ 'QUERY PLAN': string }>(`EXPLAIN ${sent[0]?.replace('$1', '1000')}`)
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(/Index Scan using inbox_created_idx/)
  })

  it('skips locked rows without waiting', async () => {
    await addToInbox(3)
    const held = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const holding = notes.open().write(platform, async (tx) => {
      await tx.$queryRaw`SELECT FROM kit.inbox ORDER BY event_id LIMIT 1 FOR UPDATE`
      held.resolve()
      await leave.promise
    })
    await held.promise
    purge([inbox])
    await eventually(async () => expect(await left()).toBe(1))
    expect(await passes('failed')).toBe(0)
    leave.resolve()
    await holding
    await eventually(async () => expect(await left()).toBe(0))
  })

  it('reads ages in milliseconds since the epoch', async () => {
    const expire = [Date.now() - 1000, Date.now() + 60_000]
    await notes.rows(`INSERT INTO kit.rate_limit VALUES ('over', 1, $1), ('runs', 1, $2), ('endless', 1, NULL)`, expire)
    purge()
    await eventually(async () =>
      expect(await notes.rows('SELECT key FROM kit.rate_limit ORDER BY key')).toEqual([{ key: 'endless' }, { key: 'runs' }]),
    )
  })

  it('goes on with the other tables when one fails, and logs it', async () => {
    const lines: string[] = []
    const complaints = createLog({ service: 'kit-test', destination: { write: (line) => void lines.push(line) } })
    await addToInbox(1)
    purge([{ table: 'nowhere', column: 'x', keepMs: 0 }, inbox], { log: complaints })
    await eventually(async () => expect(await left()).toBe(0))
    expect(lines.join()).toContain('expired rows could not be deleted')
    expect(await passes('failed', 'x')).toBeGreaterThanOrEqual(1)
  })

  it('that is stopped ends after the running chunk, and is resumed elsewhere with the same rule', async () => {
    await addToInbox(100)
    const begun = Promise.withResolvers<void>()
    const aborted = Promise.withResolvers<void>()
    const query: typeof notes.db.query = async (scoped, statement) => {
      if (statement.sql.includes('kit.inbox')) {
        begun.resolve()
        await aborted.promise
      }
      return notes.db.query(scoped, statement)
    }
    const rules = [{ ...inbox, table: 'kit.dead_letter' }, inbox]
    const started = purge(rules, { db: { ...notes.db, query }, when: { every: 3_600_000 } }, (work) => (run) => {
      run.signal.addEventListener('abort', () => aborted.resolve())
      return work(run)
    })
    await begun.promise
    await started.stop()
    expect(await left()).toBe(90)
    expect(await notes.rows("SELECT cursor FROM kit.job WHERE state <> 'done'")).toEqual([{ cursor: 1 }])
    const statements: string[] = []
    const listening: typeof notes.db.query = (scoped, statement) => {
      statements.push(statement.sql)
      return notes.db.query(scoped, statement)
    }
    purge(rules, { db: { ...notes.db, query: listening }, when: { every: 3_600_000 } })
    await eventually(async () => expect(await left()).toBe(0))
    expect(statements.join()).not.toContain('kit.dead_letter')
  })

  it('runs once per tick over all copies', async () => {
    const when = { every: 3_600_000 }
    purge([inbox], { when })
    purge([inbox], { when })
    await eventually(async () => expect(await passes('done')).toBe(1))
    await notes.rows("UPDATE kit.schedule SET next = now() - interval '1 day'")
    await eventually(async () => expect(await passes('done')).toBe(2))
    await eventually(async () => expect(await notes.rows("SELECT FROM kit.job WHERE state = 'done'")).toHaveLength(2))
  })
})
