import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'
import pLimit from 'p-limit'
import { free } from '../buffers/index.js'
import { stored } from './stored.js'

/** How many bytes are gathered for one call. */
const pieceBytes = 262_144

/** How many chunks one call takes at most (IOV_MAX of Linux): content that arrives byte by byte is written before its chunks fill the memory. */
const pieceChunks = 1_024

/** After so many bytes the file is synchronized while more are received, if a slot is free, so that the sender waits for less at the end. */
const syncBytes = 4_194_304

/** A synchronization blocks one of the four threads of libuv's pool (`UV_THREADPOOL_SIZE`) until the disk has the bytes; two are left for reads and writes. */
const syncs = pLimit(2)

/** Resolves when everything that was written to `file` is on the disk; for a folder, its entries. */
export const synchronize = (file: FileHandle): Promise<void> => syncs(() => file.sync())

/**
 * A stream that writes its chunks to `file` without copying them, and then frees them. When it has ended, the caller still has to synchronize the file.
 * It fails with an AppError `unavailable`, also when bytes that were written earlier cannot be synchronized.
 */
export function fileWriter(file: FileHandle): Writable {
  let chunks: Buffer[] = []
  let length = 0
  let unsynced = 0
  let synced: Promise<void> = Promise.resolve()

  const syncIfSlotIsFree = async () => {
    if (unsynced < syncBytes) return
    // The kernel reports a failed write-back once per open file (fsync(2)): every result is awaited.
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
    await syncIfSlotIsFree()
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

/** `chunks` without their first `written` bytes: a call may write less than it was given (writev(2)). */
function without(written: number, chunks: readonly Buffer[]): Buffer[] {
  let toSkip = written
  return chunks.flatMap((chunk) => {
    const skipped = Math.min(toSkip, chunk.length)
    toSkip -= skipped
    return skipped < chunk.length ? [chunk.subarray(skipped)] : []
  })
}
