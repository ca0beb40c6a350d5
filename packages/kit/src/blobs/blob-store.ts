import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

/** The name of a blob in the storage: 128 random bits as 32 hexadecimal digits. It contains nothing that a user has entered. */
export type BlobKey = string

/** A new random key, from the secure random numbers of the system: nobody can guess it, and no other blob has it. */
export const newBlobKey = (): BlobKey => randomBytes(16).toString('hex')

/** The value of a key column that must not be null, in a row whose bytes were erased for good. */
export const erasedKey: BlobKey = 'erased'

/** Whether `key` has the form of a blob key; false for `erasedKey`. */
export const isBlobKey = (key: string): boolean => /^[0-9a-f]{32}$/.test(key)

/** A part of a blob: the offsets of its first and its last byte, both inclusive, from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Storage of bytes by key. Where the storage itself fails, every method rejects with an AppError `unavailable`. */
export interface BlobStore {
  /**
   * Prepares the storage.
   * @param isNew nothing was ever stored: the place (a folder) is created if it is missing. Otherwise a missing place counts as unavailable, like a disk
   * that is not mounted.
   */
  open(isNew: boolean): Promise<void>

  /**
   * Stores `content`. When the promise resolves, the bytes survive a crash of the machine. When it rejects, there is no blob with this key; partial data that
   * could not be removed at once is listed by `olderThan`. The storage owns the buffers that a stream yields, and may free them.
   * @throws whatever a stream `content` throws
   */
  put(key: BlobKey, content: Readable | Uint8Array): Promise<void>

  /** The bytes, or a range of them; undefined where there is no such blob. The caller must read or destroy the stream. */
  get(key: BlobKey, range?: ByteRange): Promise<Readable | undefined>

  /** The size in bytes; undefined where there is no such blob. */
  sizeOf(key: BlobKey): Promise<number | undefined>

  /** Removes the blob, and what an interrupted `put` has left of it. Not an error where there is none. */
  remove(key: BlobKey): Promise<void>

  /** The keys of blobs that were stored before `moment`, and of those whose `put` began before it and never completed. */
  olderThan(moment: Date): AsyncIterable<BlobKey>
}
