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
  /** The archive that a file is, or that stands in it after other bytes, as after the program that unpacks it. */
  find(content: Scanned): Promise<Scanned | undefined>
  /**
   * The files in an archive. No more is in memory than one entry of it.
   * @throws DamagedArchive
   */
  entries(content: Scanned): AsyncIterable<ArchiveEntry>
}

/** Gives `work` what `open` yields as a file that can be read from any place, and which is gone when `work` has ended. */
export type Spool = <T>(open: () => Promise<Readable>, work: (file: Scanned) => Promise<T>) => Promise<T>

/** The structure of an archive is damaged, or packed in a way that nobody here can unpack. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive'
}
