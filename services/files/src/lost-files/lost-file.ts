import type { Id } from '@caseway/kit/caller'

/** A file record, as far as it is compared with the storage. */
export interface StoredFile {
  readonly id: Id
  readonly customerId: Id
  readonly blobKey: string
  /** In bytes. */
  readonly size: number
  /** Whether the record is marked as lost. */
  readonly fileNotExists: boolean
}

/** A lost file, for the operator who restores its bytes. */
export type LostFile = Pick<StoredFile, 'id' | 'customerId' | 'blobKey'> & { readonly name: string }

/** Which files are checked: all of them, or those that are marked as lost. */
export interface Selection {
  readonly lostOnly: boolean
}

/** Marks a file as lost, or as available again, and publishes a change. Does nothing where the mark is the same, or the file was deleted. */
export type NoteLost = (file: Pick<StoredFile, 'id' | 'customerId'>, isLost: boolean) => Promise<void>
