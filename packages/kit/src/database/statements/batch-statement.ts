import type { CompiledQuery } from 'kysely'

/** A statement of a `batch`, and the notifications to send after its commit. */
export type BatchStatement<Row = unknown> = CompiledQuery<Row> & {
  readonly notifies?: readonly { readonly channel: string; readonly payload?: string }[]
}
