import type { Readable } from 'node:stream'
import type { Scanned } from './virus-scanner.js'

/** One file in an archive, as the archive describes it. */
export interface ArchiveEntry {
  readonly packedBytes: number
  readonly unpackedBytes: number
  readonly encrypted: boolean
  /** Its bytes, unpacked. They end with an error where they are not as many as `unpackedBytes`. */
  open(): Promise<Readable>
}

/** Reads archives of one format. */
export interface ArchiveFormat {
  /** Finds the archive in a file: the whole file, or the part after other bytes, such as those of a self-extracting program. Undefined where there is none. */
  find(content: Scanned): Promise<Scanned | undefined>
  /**
   * The files in an archive. No more is in memory than one entry of it.
   * @throws DamagedArchive
   */
  entries(content: Scanned): AsyncIterable<ArchiveEntry>
}

/** Writes what `open` yields into a temporary file with random access for `work`, and removes it when `work` has ended. */
export type Spool = <T>(open: () => Promise<Readable>, work: (file: Scanned) => Promise<T>) => Promise<T>

/** The structure of an archive is damaged, or packed in a way that nobody here can unpack. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive'
}
