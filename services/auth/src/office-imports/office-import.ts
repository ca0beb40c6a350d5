import type { Id } from '@caseway/kit/caller'
import type { IdBlock } from '@caseway/kit/office-data'
import type { Person } from '../accounts/account.js'

/** Which ids the rows of an export have here, by table. */
export type Blocks = Readonly<Record<string, IdBlock>>

/** An office that came from another installation. */
export interface OfficeImport {
  readonly customerId: Id
  readonly blocks: Blocks
  readonly isComplete: boolean
}

/** What an export says of the accounts of an office. */
export interface ExportedAccounts {
  /** Addresses of employees. */
  readonly employees: readonly string[]
  readonly clients: readonly { readonly id: string; readonly email: string }[]
}

/** The export of an office, before it is written. */
export interface NewImport extends ExportedAccounts {
  /** SHA-256 of its manifest. */
  readonly hash: Buffer<ArrayBuffer>
  readonly customerId: Id
  readonly blocks: Blocks
}

/** Who may sign in to an office, and has had no password here. */
export type Invited = Pick<Person, 'kind' | 'id'>

/** With which an employee of an office that is here signs in. */
export interface TakenAddress {
  readonly email: string
  readonly customerId: Id
}
