import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'
import pLimit from 'p-limit'
import { free } from '../buffers/index.js'
import { stored } from './stored.js'

/** How much is written in one call. */
const pieceBytes = 262_144

/** How many chunks one call takes (IOV_MAX of Linux). Bytes that arrive one by one would be as many objects. */
const pieceChunks = 1_024

/** After how much a file is synchronized while more of it is received, if a slot is free. At the end alone, the sender would wait for all of it. */
const syncBytes = 4_194_304

/** A synchronization blocks one of the four threads of libuv's pool (`UV_THREADPOOL_SIZE`) until the disk has the bytes. The other two read and write meanwhile. */
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

/** What is left of `chunks` when their first `written` bytes are gone: a call may write less than it was given (writev(2)). */
function without(written: number, chunks: readonly Buffer[]): Buffer[] {
  let left = written
  return chunks.flatMap((chunk) => {
    const skipped = Math.min(left, chunk.length)
    left -= skipped
    return skipped < chunk.length ? [chunk.subarray(skipped)] : []
  })
}
