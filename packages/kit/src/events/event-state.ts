import { CompiledQuery } from 'kysely'
import { type Database, platform } from '../database/index.js'
import { countAtMost } from '../observability/index.js'

/** How many events in a service's database wait to be published or replayed. */
export interface EventState {
  /** The number of unpublished events in the outbox, at most 10,000. */
  readonly unpublished: number
  /** The age of the oldest unpublished event in seconds; 0 when there is none. */
  readonly oldestSeconds: number
  /** The number of dead letters, at most 10,000. */
  readonly deadLetters: number
}

const statement = `
  SELECT count(*)::int AS unpublished,
    coalesce(extract(epoch FROM now() - (array_agg(created ORDER BY id))[1]), 0)::float8 AS "oldestSeconds",
    (SELECT count(*)::int FROM (SELECT FROM kit.dead_letter LIMIT ${countAtMost}) AS letters) AS "deadLetters"
  FROM (SELECT id, created FROM kit.outbox WHERE published_at IS NULL ORDER BY id LIMIT ${countAtMost}) AS oldest`

/** Reads the state of the events of a service, from one snapshot. */
export async function readEventState(db: Database<unknown>): Promise<EventState> {
  const [state] = await db.query(platform, CompiledQuery.raw(statement) as CompiledQuery<EventState>)
  return state as EventState
}
