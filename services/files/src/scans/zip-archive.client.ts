import { Readable } from 'node:stream'
import { fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl'
import { type ArchiveEntry, type ArchiveFormat, DamagedArchive } from './archive.js'
import { beginning } from './beginning.js'
import type { Scanned } from './virus-scanner.js'

/** The records of a ZIP archive (APPNOTE.TXT 4.3). */
const signatures = { file: 'PK\x03\x04', directory: 'PK\x01\x02', end: 'PK\x05\x06', zip64: 'PK\x06\x07' }
/** The size of the end of central directory record without its comment, and its maximum size, in bytes. */
const [endBytes, maxEndBytes] = [22, 65_557]
/** The size of the zip64 end of central directory locator, which precedes that record, in bytes. */
const zip64Bytes = 20

export const zipArchives: ArchiveFormat = { find: zipIn, entries: zipEntries }

const signatureAt = async (content: Scanned, at: number) => (await beginning(from(content, at), 4)).toString('latin1')

/** Finds the archive by its end, as unpacking programs do, wherever it begins. */
async function zipIn(content: Scanned): Promise<Scanned | undefined> {
  const whole = [signatures.file, signatures.end].includes(await signatureAt(content, 0)) ? content : undefined
  const tailAt = Math.max(0, content.sizeBytes - maxEndBytes)
  const tail = await beginning(from(content, tailAt), maxEndBytes)
  const at = tail.lastIndexOf(signatures.end, undefined, 'latin1')
  if (at < 0 || at + endBytes > tail.length) return whole
  // The place of its directory is in another record, so the whole file is taken.
  const zip64At = Math.max(0, at - zip64Bytes)
  if (tail.toString('latin1', zip64At, zip64At + 4) === signatures.zip64) return content
  const [directoryBytes, directoryAt, commentBytes] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16), tail.readUInt16LE(at + 20)]
  const begin = tailAt + at - directoryBytes - directoryAt
  const isThere = begin >= 0 && (await signatureAt(content, begin + directoryAt)) === signatures.directory
  return isThere && (begin > 0 || !whole) ? from(content, begin, tailAt + at + endBytes + commentBytes) : whole
}

/** The bytes of `content` from `begin` until before `end`. */
function from({ sizeBytes, read }: Scanned, begin: number, end = sizeBytes): Scanned {
  const length = Math.max(0, Math.min(end, sizeBytes) - begin)
  return {
    sizeBytes: length,
    read: (range = { start: 0, end: length - 1 }) =>
      read({ start: begin + range.start, end: begin + Math.min(range.end ?? length, length - 1) }),
  }
}

/** Yields the entries in the order of the central directory. */
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
  /** The error of a failed read of the content, which is not damage of the archive. */
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

  /** Converts errors of yauzl to DamagedArchive, unless the content could not be read. */
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
