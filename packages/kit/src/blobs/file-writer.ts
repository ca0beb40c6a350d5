import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { free } from '../buffers/index.js'
import { stored } from './stored.js'

/** Written in one call; while it is, as much again is received. */
const pieceBytes = 1_048_576

/** As many as one call takes (IOV_MAX of Linux). A sender of single bytes would have us hold an object for each of a million. */
const pieceChunks = 1_024

/** So much is synchronized with the disk while more is received. At the end alone, whoever sends a large file would wait for all of it. */
const syncBytes = 4_194_304

/**
 * Writes to `file` what it is given, without a copy, and frees it. Whoever needs all of it on the disk synchronizes the file at the end.
 * @throws AppError `unavailable`, also where bytes that were written before do not reach the disk
 */
export function fileWriter(file: FileHandle): Writable {
  let chunks: Buffer[] = []
  let length = 0
  let unsynced = 0
  let synced: Promise<void> = Promise.resolve()

  const sync = async () => {
    // The system reports once that bytes have not reached the disk (fsync(2)): no result is left unread.
    await synced
    unsynced = 0
    synced = stored(file.datasync())
    synced.catch(() => undefined)
  }

  const writePiece = async () => {
    const piece = chunks
    unsynced += length
    chunks = []
    length = 0
    for (let rest = piece; rest.length > 0; ) rest = without((await stored(file.writev(rest))).bytesWritten, rest)
    piece.forEach(free)
    if (unsynced >= syncBytes) await sync()
  }

  return new Writable({
    highWaterMark: pieceBytes,
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
