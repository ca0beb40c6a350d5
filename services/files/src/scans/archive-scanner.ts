import type { ScanResult } from '../common-files/common-file.js'
import { type ArchiveEntry, type ArchiveFormat, DamagedArchive, type Spool } from './archive.js'
import type { Scanned, VirusScanner } from './virus-scanner.js'

/** What an archive may be, with all archives in it. A scanner that unpacks more than this can be kept busy for hours by a small file. */
export interface ArchiveLimits {
  readonly entries: number
  readonly unpackedBytes: number
  /** Of what is unpacked to the bytes of the file. */
  readonly ratio: number
  /** Of archives in archives; 1 is an archive without another one in it. */
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
 * Asks `inner` about every file of the archives in a file, and then about the file: it is given no archive past `limits`, nor one that has such
 * an archive in it. These have failed.
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
      // All of it is counted before anything of it is unpacked.
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
