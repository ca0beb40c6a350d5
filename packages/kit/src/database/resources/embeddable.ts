import { type RawBuilder, sql } from 'kysely'
import {
  type CallerOf,
  columnsOf,
  type Embeddable,
  embeddedKeyIndex,
  type Resource,
  type StoredEmbedded,
  type StoredRow,
} from '../../resource/index.js'
import { createQueryCache, Param } from '../statements/cached-query.js'
import { statements } from '../statements/statements.js'
import type { Database } from '../types.js'

/** The parameters of a read of embedded objects: the ids of the caller, and `ids`, an array of bigint by which the objects are found. */
export interface EmbeddableQuery {
  readonly customerId: unknown
  readonly userId: unknown
  readonly ids: unknown
}

/** The SELECT of the objects that a list embeds on request, by wrapper: rows with the columns of their fields. */
export type EmbeddableReads = Readonly<Record<string, (query: EmbeddableQuery) => RawBuilder<unknown>>>

interface Query {
  readonly owner: { readonly customerId: unknown; readonly userId: unknown }
  readonly ids: Readonly<Record<string, readonly string[]>>
}

interface Found {
  readonly wrapper: string
  readonly key: string
  readonly texts: StoredRow
}

/** Reads all objects that a page embeds on request, in one statement, however many rows and wrappers there are. */
export function embeddableReader<R extends Resource>(db: Database<unknown>, resource: R, reads: EmbeddableReads) {
  const cachedQuery = createQueryCache()
  const objectsOf = (wrapper: string) => resource.embeddable[wrapper] as Embeddable[string]

  const select = (wrapper: string) => {
    const read = reads[wrapper]
    if (!read) throw new Error(`${resource.name} has no read for ${wrapper}.`)
    const objects = objectsOf(wrapper)
    const texts = columnsOf(objects.fields).map(({ wire }) => sql`${sql.ref(wire)}::text`)
    const rows = read({
      customerId: new Param<Query>(({ owner }) => owner.customerId),
      userId: new Param<Query>(({ owner }) => owner.userId),
      ids: new Param<Query>(({ ids }) => ids[wrapper]),
    })
    const key = sql.ref('by' in objects ? 'id' : objects.of)
    return sql`SELECT ${sql.lit(wrapper)} AS wrapper, ${key}::text AS key, ARRAY[${sql.join(texts)}] AS texts FROM (${rows}) AS objects`
  }
  const selectAll = (wrappers: readonly string[]) => ({
    compile: () => sql<Found>`${sql.join(wrappers.map(select), sql` UNION ALL `)}`.compile(statements()),
  })

  return async (owner: CallerOf<R>, rows: readonly StoredRow[], wrappers: readonly string[]): Promise<StoredEmbedded> => {
    const idsOf = (wrapper: string) => {
      const at = embeddedKeyIndex(resource, objectsOf(wrapper))
      return [...new Set(rows.flatMap((row) => row[at] ?? []))]
    }
    const query = { owner, ids: Object.fromEntries(wrappers.map((wrapper) => [wrapper, idsOf(wrapper)])) }
    const found =
      rows.length > 0
        ? await db.pipelined.query<Found>(
            owner,
            cachedQuery(wrappers.join(), () => selectAll(wrappers) as never, query),
          )
        : []
    return new Map(wrappers.map((wrapper) => [wrapper, byKey(found.filter((object) => object.wrapper === wrapper))]))
  }
}

const byKey = (found: readonly Found[]): ReadonlyMap<string, readonly StoredRow[]> =>
  new Map([...Map.groupBy(found, ({ key }) => key)].map(([key, objects]) => [key, objects.map(({ texts }) => texts)]))
