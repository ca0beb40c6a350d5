import type { CompiledQuery } from 'kysely'

/** A statement of a `batch`, with who is notified of what it writes. */
export type BatchStatement<Row = unknown> = CompiledQuery<Row> & {
  readonly notifies?: readonly { readonly channel: string; readonly payload?: string }[]
}
