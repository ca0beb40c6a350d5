import type { Readable } from 'node:stream'
import type { Scanned } from './virus-scanner.js'

/** One file in an archive, as the archive describes it. */
export interface ArchiveEntry {
  readonly packedBytes: number
  readonly unpackedBytes: number
  readonly encrypted: boolean
  /** Opens the unpacked bytes. The stream fails where their number is not `unpackedBytes`. */
  open(): Promise<Readable>
}

/** Reads archives of one format. */
export interface ArchiveFormat {
  /** Finds the archive in a file: the whole file, or the part after other bytes, such as those of a self-extracting program. Undefined where there is none. */
  find(content: Scanned): Promise<Scanned | undefined>
  /**
   * Yields the files in an archive, with one entry in memory at a time.
   * @throws DamagedArchive
   */
  entries(content: Scanned): AsyncIterable<ArchiveEntry>
}

/** Writes what `open` yields into a temporary file with random access for `work`, and removes it when `work` has ended. */
export type Spool = <T>(open: () => Promise<Readable>, work: (file: Scanned) => Promise<T>) => Promise<T>

/** An archive is damaged, or uses an unsupported compression. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive'
}
