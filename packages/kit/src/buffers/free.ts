import type { Writable } from 'node:stream'

/** Smaller buffers are left to the garbage collector: freeing them gains less than the call costs. */
const worthwhileBytes = 16_384

/**
 * Frees the memory of `bytes` at once and leaves them with a length of 0 (ECMA-262, ArrayBuffer.prototype.transfer). V8 counts a buffer of 64 KiB as a small
 * object and collects it late, so that a process that streams large bodies would hold some hundred MiB of them. A view of a part of a larger buffer, and
 * buffers below 16 KiB, are left alone.
 */
export function free(bytes: Uint8Array): void {
  if (canBeFreed(bytes)) bytes.buffer.transfer(0)
}

/**
 * From now on each buffer that is written to `stream` is freed when it has been written, that is, when the operating system has the bytes (Node,
 * `writable.write`). Only for a response or a socket whose writer keeps no reference to the buffers and passes no callback, as `pipe` and undici do.
 */
export function freeWritten(stream: Pick<Writable, 'write'>): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean
  stream.write = (chunk: unknown, ...rest: unknown[]) =>
    rest.length === 0 && canBeFreed(chunk) ? write(chunk, () => free(chunk)) : write(chunk, ...rest)
}

const canBeFreed = (chunk: unknown): chunk is Uint8Array<ArrayBuffer> =>
  chunk instanceof Uint8Array &&
  chunk.buffer instanceof ArrayBuffer &&
  chunk.byteLength >= worthwhileBytes &&
  chunk.byteLength === chunk.buffer.byteLength
