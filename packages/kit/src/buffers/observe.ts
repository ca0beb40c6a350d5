import type { Readable } from 'node:stream'

/**
 * Calls `onChunk` with each chunk of `content` when its reader is given it.
 * @returns `content`, paused until it is read: a listener alone would let it flow before (Node, `stream.Readable`, "Two reading modes")
 */
export const observe = (content: Readable, onChunk: (chunk: Uint8Array) => void): Readable => content.pause().on('data', onChunk)
