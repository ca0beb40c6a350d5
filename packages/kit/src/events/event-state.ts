import { CompiledQuery } from 'kysely'
import { type Database, platform } from '../database/index.js'

/** What waits in a service's database to be told, or to be replayed. */
export interface EventState {
  /** Events that no relay has published. */
  readonly unpublished: number
  /** The age of the oldest of them; 0 when there is none. */
  readonly oldestSeconds: number
  readonly deadLetters: number
}

const statement = `
  SELECT
    (SELECT count(*)::int FROM kit.outbox WHERE published_at IS NULL) AS unpublished,
    coalesce((SELECT extract(epoch FROM now() - created)::float8 FROM kit.outbox WHERE published_at IS NULL ORDER BY id LIMIT 1), 0)
      AS "oldestSeconds",
    (SELECT count(*)::int FROM kit.dead_letter) AS "deadLetters"`

/** How far the events of a service have come, all of one moment. */
export async function readEventState(db: Database<unknown>): Promise<EventState> {
  const [state] = await db.query(platform, CompiledQuery.raw(statement) as CompiledQuery<EventState>)
  return state as EventState
}
