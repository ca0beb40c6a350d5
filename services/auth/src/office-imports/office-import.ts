import type { Id } from '@caseway/kit/caller'
import type { IdBlock } from '@caseway/kit/office-data'
import type { Person } from '../accounts/account.js'

/** The blocks of ids that the rows of an export get here, by table. */
export type Blocks = Readonly<Record<string, IdBlock>>

/** An office that came from another installation. */
export interface OfficeImport {
  readonly customerId: Id
  readonly blocks: Blocks
  readonly isComplete: boolean
}

/** The accounts that an export contains. */
export interface ExportedAccounts {
  /** The addresses of the employees. */
  readonly employees: readonly string[]
  readonly clients: readonly { readonly id: string; readonly email: string }[]
}

/** An export that is about to be imported. */
export interface NewImport extends ExportedAccounts {
  /** SHA-256 of the manifest of the export. */
  readonly hash: Buffer<ArrayBuffer>
  readonly customerId: Id
  readonly blocks: Blocks
}

/** A person of an imported office, who has no password here yet. */
export type Invited = Pick<Person, 'kind' | 'id'>

/** An address of the export that belongs to an employee of another office. */
export interface TakenAddress {
  readonly email: string
  readonly customerId: Id
}
