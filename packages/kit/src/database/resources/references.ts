import type { Employee, Id } from '../../caller/index.js'
import { noSuchRecord } from '../../errors/index.js'
import { type Camel, camel } from '../../resource/index.js'

/** The reads of records that others name: those of `resourceReads`. */
export interface Referable {
  some(caller: Employee, ids: readonly Id[]): Promise<readonly { readonly id: Id }[]>
  keep(tx: object, caller: Employee, ids: readonly Id[]): Promise<readonly Id[]>
}

type Sent<Wire extends string> = { readonly [Field in Wire as Camel<Field>]?: Id | null }

/** The fields of a body by which a record names others of its office. A field that was not sent, or is null, names none. */
export interface References<Wire extends string> {
  /** Whether any of them names a record. */
  areIn(sent: Sent<Wire>): boolean
  /** The fields whose records the office does not have. */
  missing(caller: Employee, sent: Sent<Wire>): Promise<string[]>
  /**
   * Keeps the named records from being deleted until the transaction of `write` ends. `tx` shows that there is one.
   * @throws AppError `invalid` with every field that is `missing`
   */
  keep(tx: object, caller: Employee, sent: Sent<Wire>): Promise<void>
}

/** `references({ provider_id: providers })`, by the reads of what each field names. */
export function references<const Wire extends string>(named: Readonly<Record<Wire, Referable>>): References<Wire> {
  const fields = Object.entries<Referable>(named).map(([wire, reads]) => ({ wire, name: camel(wire), reads }))

  const missing = async (sent: Sent<Wire>, find: (reads: Referable, id: Id) => Promise<readonly unknown[]>) => {
    const values = sent as Readonly<Record<string, Id | null | undefined>>
    const unknown: string[] = []
    // One after the other: they may be statements of one transaction.
    for (const { wire, name, reads } of fields) {
      const id = values[name]
      if (id != null && (await find(reads, id)).length === 0) unknown.push(wire)
    }
    return unknown
  }

  return {
    areIn: (sent) => fields.some(({ name }) => sent[name as keyof Sent<Wire>] != null),
    missing: (caller, sent) => missing(sent, (reads, id) => reads.some(caller, [id])),
    async keep(tx, caller, sent) {
      const unknown = await missing(sent, (reads, id) => reads.keep(tx, caller, [id]))
      if (unknown.length > 0) throw noSuchRecord(...unknown)
    },
  }
}
