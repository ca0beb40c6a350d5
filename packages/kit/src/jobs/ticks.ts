import { CompiledQuery } from 'kysely'
import { type Database, platform } from '../database/index.js'
import { enqueue } from './enqueue.js'
import { nextTick, type Schedule } from './schedule.js'

/**
 * Enqueues the job of every schedule that is due by the clock of the database. It locks the row of the schedule, so that only one copy enqueues the job.
 * A new schedule with an interval ticks at once; one whose rule has changed waits for its next tick.
 */
export async function tick(db: Database<unknown>, schedules: readonly Schedule[]): Promise<void> {
  for (const { name, rule, job } of schedules) {
    await db.write(platform, async (tx) => {
      const text = JSON.stringify(rule)
      const insert = `
        INSERT INTO kit.schedule (name, rule, next) VALUES ($1, '', 'infinity') ON CONFLICT DO NOTHING`
      const lock = `
        SELECT CASE rule WHEN $2 THEN next <= now() ELSE rule = '' AND $3 END AS due, now() AS now FROM kit.schedule
        WHERE name = $1 AND (rule <> $2 OR next <= now()) FOR UPDATE SKIP LOCKED`
      const send = <Row>(sql: string, values: unknown[]) => db.query(platform, CompiledQuery.raw(sql, values) as CompiledQuery<Row>)
      await send(insert, [name])
      const [row] = await send<{ due: boolean; now: Date }>(lock, [name, text, 'every' in rule])
      if (!row) return
      if (row.due) await enqueue(tx, job, null, { dedupe: name })
      await send('UPDATE kit.schedule SET rule = $2, next = $3 WHERE name = $1', [name, text, nextTick(rule, row.now)])
    })
  }
}
