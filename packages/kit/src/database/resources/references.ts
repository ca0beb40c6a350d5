import type { Employee, Id } from '../../caller/index.js'
import { nonexistent, refuseMissing } from '../../errors/index.js'
import { type Camel, camel } from '../../resource/index.js'

interface Identified {
  readonly id: Id
}

/** The reads of records that others name: those of `resourceReads`. */
export interface Referable<Row extends Identified = Identified> {
  some(caller: Employee, ids: readonly Id[]): Promise<readonly Identified[]>
  keep(tx: object, caller: Employee, ids: readonly Id[]): Promise<readonly Row[]>
}

type Named<Wire extends string> = { readonly [W in Wire]: Referable }
type RowOf<R> = R extends Referable<infer Row> ? Row : never
type Sent<Wire extends string> = { readonly [W in Wire as Camel<W>]?: Id | null }
/** The records that are named, by the fields that name them. */
type Kept<N, S> = {
  readonly [W in keyof N & string as Camel<W> & keyof S]: RowOf<N[W]> | (S[Camel<W> & keyof S] extends Id ? never : undefined)
}

/** The fields of a body by which a record names others of its office. A field that was not sent, or is null, names none. */
export interface References<Wire extends string, N extends Named<Wire> = Named<Wire>> {
  /** Whether any of them names a record. */
  areIn(sent: Sent<Wire>): boolean
  /** The fields whose records the office does not have. */
  missing(caller: Employee, sent: Sent<Wire>): Promise<string[]>
  /** A text for each field that is `missing`: what the `fieldErrors` of a resource answers with. */
  fieldErrors(caller: Employee, sent: Sent<Wire>): Promise<Readonly<Record<string, string>>>
  /**
   * Keeps the named records from being deleted until the transaction of `write` ends. `tx` shows that there is one.
   * @returns the records, as they are now
   * @throws AppError `invalid` with every field that is `missing`
   */
  keep<S extends Sent<Wire>>(tx: object, caller: Employee, sent: S): Promise<Kept<N, S>>
}

/** `references({ provider_id: providers })`, by the reads of what each field names. */
export function references<N extends Named<string>>(named: N): References<keyof N & string, N> {
  const fields = Object.entries<Referable>(named).map(([wire, reads]) => ({ wire, name: camel(wire), reads }))

  /** The first record of each named field, undefined where there is none. */
  const found = async (sent: object, find: (reads: Referable, id: Id) => Promise<readonly Identified[]>) => {
    const values = sent as Readonly<Record<string, Id | null | undefined>>
    const records: { wire: string; name: string; record: Identified | undefined }[] = []
    // One after the other: they may be statements of one transaction.
    for (const { wire, name, reads } of fields) {
      const id = values[name]
      if (id != null) records.push({ wire, name, record: (await find(reads, id))[0] })
    }
    return { records, missing: records.flatMap(({ wire, record }) => (record ? [] : [wire])) }
  }

  const missing = async (caller: Employee, sent: object) => (await found(sent, (reads, id) => reads.some(caller, [id]))).missing

  return {
    areIn: (sent) => fields.some(({ name }) => (sent as Readonly<Record<string, unknown>>)[name] != null),
    missing,
    fieldErrors: async (caller, sent) => nonexistent(await missing(caller, sent)),
    async keep<S extends object>(tx: object, caller: Employee, sent: S) {
      const { records, missing } = await found(sent, (reads, id) => reads.keep(tx, caller, [id]))
      refuseMissing(missing)
      return Object.fromEntries(records.map(({ name, record }) => [name, record])) as Kept<N, S>
    },
  }
}
