import type { Id } from '@caseway/kit/caller'

/** A record as it is compared with the storage. */
export interface StoredFile {
  readonly id: Id
  readonly customerId: Id
  readonly blobKey: string
  /** In bytes. */
  readonly size: number
  /** What the record says now: the storage does not have the bytes. */
  readonly fileNotExists: boolean
}

/** A record whose bytes the storage does not have, for whoever restores them. */
export type LostFile = Pick<StoredFile, 'id' | 'customerId' | 'blobKey'> & { readonly name: string }

/** Which records are compared: all of them, or those whose bytes were lost when they were last looked for. */
export interface Selection {
  readonly lostOnly: boolean
}

/** Notes whether the storage has the bytes of a file. A change is told; the same again, and a file that is gone, change nothing. */
export type NoteLost = (file: Pick<StoredFile, 'id' | 'customerId'>, isLost: boolean) => Promise<void>
