import type { Id } from '../../caller/index.js'
import {
  type CallerOf,
  camel,
  type EmbeddedReads,
  embeddedName,
  type Many,
  type One,
  type RecordOf,
  type Resource,
  type RowOf,
} from '../../resource/index.js'

type Values = Record<string, unknown>
type Read = (ids: readonly Id[]) => Promise<readonly Values[]>
/** Adds the embedded objects of one wrapper to records. */
type Attach = (records: readonly Values[], read: Read) => Promise<Values[]>

const attachOne =
  (name: string, by: string): Attach =>
  async (records, read) => {
    const ids = new Set(records.map((record) => record[by] as Id))
    const found = new Map((await read([...ids])).map((object) => [object.id, object]))
    return records.flatMap((record) => {
      const object = found.get(record[by])
      return object ? [{ ...record, [name]: object }] : []
    })
  }

const attachMany =
  (name: string, of: string): Attach =>
  async (records, read) => {
    const found = Map.groupBy(await read(records.map(({ id }) => id as Id)), (object) => object[of])
    return records.map((record) => ({ ...record, [name]: found.get(record.id) ?? [] }))
  }

const attach = (name: string, embedded: One | Many): Attach =>
  'by' in embedded ? attachOne(name, camel(embedded.by)) : attachMany(name, camel(embedded.of))

/** Adds the embedded objects of `resource` to its rows, with one read per wrapper. A row whose `one` object is not found is left out. */
export function embedding<R extends Resource>(resource: R, reads: EmbeddedReads<R> | undefined) {
  const objects = Object.entries(resource.embedded).map(([wrapper, embedded]) => {
    const name = embeddedName(wrapper)
    const read = (reads as Record<string, (caller: CallerOf<R>, ids: readonly Id[]) => Promise<readonly Values[]>> | undefined)?.[name]
    return { attach: attach(name, embedded), read: read as NonNullable<typeof read> }
  })

  return async (caller: CallerOf<R>, rows: readonly RowOf<R>[]): Promise<RecordOf<R>[]> => {
    let records: Values[] = [...rows]
    for (const { attach, read } of objects) {
      if (records.length === 0) break
      records = await attach(records, (ids) => read(caller, ids))
    }
    return records as RecordOf<R>[]
  }
}
