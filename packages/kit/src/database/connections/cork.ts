import type { Writable } from 'node:stream'

/** Makes a socket send all statements of this tick in one packet: sending a packet costs as much CPU as building a statement. */
export function corkForThisTick(stream: Writable): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}
