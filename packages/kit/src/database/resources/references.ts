import type { Employee, Id } from '../../caller/index.js'
import { nonexistent, refuseMissing } from '../../errors/index.js'
import { type Camel, camel } from '../../resource/index.js'

interface Identified {
  readonly id: Id
}

/** The reads of a resource whose records others refer to: those of `resourceReads`. */
export interface Referable<Row extends Identified = Identified> {
  some(caller: Employee, ids: readonly Id[]): Promise<readonly Identified[]>
  keep(tx: object, caller: Employee, ids: readonly Id[]): Promise<readonly Row[]>
}

type Named<Wire extends string> = { readonly [W in Wire]: Referable }
type RowOf<R> = R extends Referable<infer Row> ? Row : never
type Sent<Wire extends string> = { readonly [W in Wire as Camel<W>]?: Id | null }
/** The referenced records, by the fields that refer to them. */
type Kept<N, S> = {
  readonly [W in keyof N & string as Camel<W> & keyof S]: RowOf<N[W]> | (S[Camel<W> & keyof S] extends Id ? never : undefined)
}

/** The fields of a body that refer to other records of the office by id. A field that was not sent, or is null, refers to none. */
export interface References<Wire extends string, N extends Named<Wire> = Named<Wire>> {
  /** Whether any of the fields refers to a record. */
  areIn(sent: Sent<Wire>): boolean
  /** The wire names of the fields whose records do not exist in the office. */
  missing(caller: Employee, sent: Sent<Wire>): Promise<string[]>
  /** A text for each `missing` field, as a handler `fieldErrors` returns it. */
  fieldErrors(caller: Employee, sent: Sent<Wire>): Promise<Readonly<Record<string, string>>>
  /**
   * Locks the referenced records against deletion until the transaction of `write` ends (FOR KEY SHARE).
   * @param tx proves that the caller is inside of a `write`
   * @returns the current records, by field
   * @throws AppError `invalid` with all `missing` fields
   */
  keep<S extends Sent<Wire>>(tx: object, caller: Employee, sent: S): Promise<Kept<N, S>>
}

/**
 * Declares the fields that refer to other records: `references({ provider_id: providers })`.
 * @param named by the wire name of each field, the reads of the records that it refers to
 */
export function references<N extends Named<string>>(named: N): References<keyof N & string, N> {
  const fields = Object.entries<Referable>(named).map(([wire, reads]) => ({ wire, name: camel(wire), reads }))

  /** Finds the record of each field that refers to one. */
  const found = async (sent: object, find: (reads: Referable, id: Id) => Promise<readonly Identified[]>) => {
    const values = sent as Readonly<Record<string, Id | null | undefined>>
    const records: { wire: string; name: string; record: Identified | undefined }[] = []
    // One after the other, because they may be statements of one transaction.
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
