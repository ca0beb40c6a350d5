import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Names the bytes of one file in the storage: 128 random bits in hexadecimal digits. Nothing from outside is part of it. */
export type BlobKey = string

/** A key that nobody can guess, and that no blob has: from the system's secure source of random numbers. */
export const newBlobKey = (): BlobKey => randomBytes(16).toString('hex')

/** Stands in a row whose bytes are gone for good, where a column wants a key. */
export const erasedKey: BlobKey = 'erased'

/** Whether there may be bytes with this key. */
export const isBlobKey = (key: string): boolean => /^[0-9a-f]{32}$/.test(key)

/** A part of a blob: its first and its last byte, counted from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Where the bytes of files are. What fails because of the storage itself is an AppError `unavailable`. */
export interface BlobStore {
  /**
   * Prepares the storage.
   * @param isNew nothing was ever stored: only then a place that is not there is made. Otherwise it is away, as a disk that is not mounted.
   */
  open(isNew: boolean): Promise<void>

  /**
   * Stores `content`, or what it yields. When the promise resolves, the bytes survive a crash of the machine; when it rejects, there is no such blob, and
   * what the storage could not remove at that moment is among `olderThan`. The buffers of a stream are the storage's from then on: it may free them.
   * @throws what `content` throws
   */
  put(key: BlobKey, content: Readable | Uint8Array): Promise<void>

  /** The bytes, or a part of them; undefined where there is no such blob. The stream has to be read or destroyed. */
  get(key: BlobKey, range?: ByteRange): Promise<Readable | undefined>

  /** In bytes; undefined where there is no such blob. */
  sizeOf(key: BlobKey): Promise<number | undefined>

  /** Also what an interrupted `put` has left. It is no error when there is no such blob. */
  remove(key: BlobKey): Promise<void>

  /** The keys of what was stored before `moment`, and of what was begun before it and never completed. */
  olderThan(moment: Date): AsyncIterable<BlobKey>
}
