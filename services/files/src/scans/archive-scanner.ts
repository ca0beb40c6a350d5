import type { ScanResult } from '../common-files/common-file.js'
import { type ArchiveEntry, type ArchiveFormat, DamagedArchive, type Spool } from './archive.js'
import type { Scanned, VirusScanner } from './virus-scanner.js'

/** The limits of an archive, including all archives in it. Without limits a small file could keep the scanner busy for hours. */
export interface ArchiveLimits {
  readonly entries: number
  readonly unpackedBytes: number
  /** The maximum ratio of unpacked bytes to the bytes of the file. */
  readonly ratio: number
  /** The maximum nesting of archives; 1 means an archive without another one in it. */
  readonly depth: number
  readonly allowEncrypted: boolean
}

export const defaultLimits: ArchiveLimits = {
  entries: 10_000,
  unpackedBytes: 2 ** 30,
  ratio: 200,
  depth: 4,
  allowEncrypted: false,
}

class Refused extends Error {
  constructor(readonly result: ScanResult) {
    super(result.error)
  }
}

const refuse = (error: string) => new Refused({ status: 'failed', error })

interface Archives {
  readonly inner: VirusScanner
  readonly format: ArchiveFormat
  readonly spool: Spool
  readonly limits: ArchiveLimits
}

/**
 * Scans every file in the archives of a file by `inner`, and then the file itself. An archive that exceeds `limits`, or contains one that does, is not passed
 * to `inner`: its scan is `failed`.
 */
export const archiveScanner = ({ inner, format, spool, limits }: Archives): VirusScanner => ({
  async scan(file, signal) {
    let [entries, unpackedBytes] = [0, 0]

    const count = (entry: ArchiveEntry) => {
      entries++
      unpackedBytes += entry.unpackedBytes
      if (entries > limits.entries) throw refuse('The archive has too many files.')
      if (unpackedBytes > limits.unpackedBytes) throw refuse('The archive is too large when it is unpacked.')
      if (unpackedBytes > limits.ratio * file.sizeBytes) throw refuse('The archive is packed too tightly.')
      if (entry.encrypted && !limits.allowEncrypted) throw refuse('The archive is encrypted.')
    }

    const look = async (content: Scanned, depth: number): Promise<void> => {
      const archive = await format.find(content)
      if (archive) await lookInto(archive, depth)
      const result = await inner.scan(content, signal)
      if (result.status !== 'ok') throw new Refused(result)
    }

    const lookInto = async (archive: Scanned, depth: number): Promise<void> => {
      if (depth > limits.depth) throw refuse('The archive has archives in it that are nested too deeply.')
      // All entries are counted before any is unpacked.
      for await (const entry of format.entries(archive)) count(entry)
      for await (const entry of format.entries(archive)) {
        signal.throwIfAborted()
        if (!entry.encrypted) await spool(entry.open, (unpacked) => look(unpacked, depth + 1))
      }
    }

    try {
      await look(file, 1)
      return { status: 'ok' }
    } catch (error) {
      if (error instanceof Refused) return error.result
      if (error instanceof DamagedArchive) return { status: 'failed', error: error.message }
      throw error
    }
  },
})
