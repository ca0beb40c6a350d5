import type { Id } from '../../caller/index.js'
import { type CallerOf, camel, type EmbeddedReads, embeddedName, type RecordOf, type Resource, type RowOf } from '../../resource/index.js'

interface Found {
  readonly id: Id
}
type Read<Caller> = (caller: Caller, ids: readonly Id[]) => Promise<readonly Found[]>

/** Puts the objects that `resource` declares beside its rows: one read for each of them, however many rows there are. */
export function embedding<R extends Resource>(resource: R, reads: EmbeddedReads<R> | undefined) {
  const objects = Object.entries(resource.embedded).map(([wrapper, { by }]) => {
    const name = embeddedName(wrapper)
    return { name, by: camel(by), read: (reads as Record<string, Read<CallerOf<R>>> | undefined)?.[name] as Read<CallerOf<R>> }
  })

  return async (caller: CallerOf<R>, rows: readonly RowOf<R>[]): Promise<RecordOf<R>[]> => {
    let records: Record<string, unknown>[] = [...rows]
    for (const { name, by, read } of objects) {
      if (records.length === 0) break
      const ids = new Set(records.map((record) => record[by] as Id))
      const found = new Map((await read(caller, [...ids])).map((object) => [object.id, object]))
      records = records.flatMap((record) => {
        const object = found.get(record[by] as Id)
        return object ? [{ ...record, [name]: object }] : []
      })
    }
    return records as RecordOf<R>[]
  }
}
