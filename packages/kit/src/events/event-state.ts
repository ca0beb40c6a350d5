import { CompiledQuery } from 'kysely'
import { type Database, platform } from '../database/index.js'
import { countAtMost } from '../observability/index.js'

/** What waits in a service's database to be published, or to be replayed. */
export interface EventState {
  /** Events that no relay has published, at most 10,000. */
  readonly unpublished: number
  /** The age of the oldest of them; 0 when there is none. */
  readonly oldestSeconds: number
  /** At most 10,000. */
  readonly deadLetters: number
}

const statement = `
  SELECT count(*)::int AS unpublished,
    coalesce(extract(epoch FROM now() - (array_agg(created ORDER BY id))[1]), 0)::float8 AS "oldestSeconds",
    (SELECT count(*)::int FROM (SELECT FROM kit.dead_letter LIMIT ${countAtMost}) AS letters) AS "deadLetters"
  FROM (SELECT id, created FROM kit.outbox WHERE published_at IS NULL ORDER BY id LIMIT ${countAtMost}) AS oldest`

/** How far the events of a service have come, all of one moment. */
export async function readEventState(db: Database<unknown>): Promise<EventState> {
  const [state] = await db.query(platform, CompiledQuery.raw(statement) as CompiledQuery<EventState>)
  return state as EventState
}
