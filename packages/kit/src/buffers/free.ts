import type { Writable } from 'node:stream'

/** Smaller buffers are left to the garbage collector: freeing them gains less than the call costs. */
const worthwhileBytes = 16_384

/**
 * Gives the memory of `bytes` back at once; they have a length of 0 from then on (ECMA-262, ArrayBuffer.prototype.transfer). For V8 a buffer of 64 KiB is
 * a small object, which it collects long after its last use: a process through which large bodies go would hold some hundred MiB of them. Bytes that
 * share their memory with others, and short ones, stay as they are.
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
