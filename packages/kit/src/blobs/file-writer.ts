import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'
import pLimit from 'p-limit'
import { free } from '../buffers/index.js'
import { stored } from './stored.js'

/** Written in one call. */
const pieceBytes = 262_144

/** As many as one call takes (IOV_MAX of Linux). A sender of single bytes would have us hold an object for each of a million. */
const pieceChunks = 1_024

/** So much is synchronized with the disk while more is received, where no others wait for the disk. At the end alone, a sender would wait for all of it. */
const syncBytes = 4_194_304

/** Each takes one of the four threads that do all work with files (libuv, `UV_THREADPOOL_SIZE`) until the disk has the bytes: the others read and write meanwhile. */
const syncs = pLimit(2)

/** Resolves when the disk has everything that was written to `file`, or that a folder names. */
export const synchronize = (file: FileHandle): Promise<void> => syncs(() => file.sync())

/**
 * Writes to `file` what it is given, without a copy, and frees it. Whoever needs all of it on the disk synchronizes the file at the end.
 * @throws AppError `unavailable`, also where bytes that were written before do not reach the disk
 */
export function fileWriter(file: FileHandle): Writable {
  let chunks: Buffer[] = []
  let length = 0
  let unsynced = 0
  let synced: Promise<void> = Promise.resolve()

  const syncWhereIdle = async () => {
    if (unsynced < syncBytes) return
    // The system reports once that bytes have not reached the disk (fsync(2)): no result is left unread.
    await synced
    if (syncs.activeCount === syncs.concurrency) return
    unsynced = 0
    synced = stored(syncs(() => file.datasync()))
    synced.catch(() => undefined)
  }

  const writePiece = async () => {
    const piece = chunks
    unsynced += length
    chunks = []
    length = 0
    for (let rest = piece; rest.length > 0; ) rest = without((await stored(file.writev(rest))).bytesWritten, rest)
    piece.forEach(free)
    await syncWhereIdle()
  }

  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      length += chunk.length
      if (length < pieceBytes && chunks.length < pieceChunks) done()
      else writePiece().then(() => done(), done)
    },
    final(done) {
      writePiece()
        .then(() => synced)
        .then(() => done(), done)
    },
  })
}

/** What is left of `chunks` when their first `written` bytes are gone: a call may write less than it was given (writev(2)). */
function without(written: number, chunks: readonly Buffer[]): Buffer[] {
  let left = written
  return chunks.flatMap((chunk) => {
    const skipped = Math.min(left, chunk.length)
    left -= skipped
    return skipped < chunk.length ? [chunk.subarray(skipped)] : []
  })
}
