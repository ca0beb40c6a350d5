import { Readable } from 'node:stream'
import { fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl'
import { type ArchiveEntry, type ArchiveFormat, DamagedArchive } from './archive.js'
import type { Scanned } from './virus-scanner.js'

/** With which a ZIP archive begins: with a file, or as an empty one (APPNOTE.TXT 4.3). */
const signatures = ['PK\x03\x04', 'PK\x05\x06']

export const zipArchives: ArchiveFormat = {
  begins: (beginning) => signatures.includes(beginning.toString('latin1', 0, 4)),
  entries: zipEntries,
}

/** In the order of the central directory. */
async function* zipEntries(content: Scanned): AsyncIterable<ArchiveEntry> {
  const reader = new ContentReader(content)
  const options = { autoClose: false, decodeStrings: false }
  const archive = await reader.damaged(fromRandomAccessReaderPromise(reader, content.sizeBytes, options))
  const entries = archive.eachEntry()
  for (;;) {
    const { done, value: entry } = await reader.damaged(entries.next())
    if (done) return
    yield {
      packedBytes: entry.compressedSize,
      unpackedBytes: entry.uncompressedSize,
      encrypted: entry.isEncrypted(),
      open: async () => Readable.from(reader.unpacked(await reader.damaged(archive.openReadStreamPromise(entry))), { objectMode: false }),
    }
  }
}

class ContentReader extends RandomAccessReader {
  /** Why the content could not be read: that is no damage of the archive. */
  #failure: unknown

  constructor(readonly content: Scanned) {
    super()
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#range(start, end), { objectMode: false })
  }

  async *#range(start: number, end: number) {
    try {
      yield* await this.content.read({ start, end: end - 1 })
    } catch (error) {
      this.#failure = error
      throw error
    }
  }

  /** What yauzl fails with is damage of the archive, unless the content could not be read. */
  damaged = <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((error) => {
      throw this.#failure ?? new DamagedArchive('The archive is damaged.', { cause: error })
    })

  /** The bytes of an entry. */
  async *unpacked(entry: Readable) {
    const chunks = entry[Symbol.asyncIterator]()
    for (;;) {
      const { done, value } = await this.damaged(chunks.next())
      if (done) return
      yield value
    }
  }
}
