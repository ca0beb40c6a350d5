import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'

/** The most bytes of the header of a returned message. */
export const returnedBytes = 256 * 1024

/** A Buffer of the same memory. */
export const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** A header line as UTF-8, where it is valid UTF-8: the library gives its bytes as Latin-1 characters. */
export function inUtf8(line: string): string {
  const bytes = Buffer.from(line, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : line
}

/** The size of a chunk, in bytes: the library splits each chunk into lines and holds them, which for a whole message take several times its size. */
const chunkBytes = 65_536

function* chunksOf(source: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < source.byteLength; at += chunkBytes) yield bufferOf(source.subarray(at, at + chunkBytes))
}

/** The bytes after the header in which a charset is looked for. */
export const namedWithinBytes = 65_536

export function headerIn(bytes: Buffer): Buffer {
  const ends = ['\r\n\r\n', '\n\n'].map((empty) => bytes.indexOf(empty)).filter((at) => at >= 0)
  return bytes.subarray(0, Math.min(...ends, returnedBytes))
}

/** The first charset that a message names, usually that of its text: older programs write raw header bytes in it. */
export function charsetOf(bytes: Buffer): string | undefined {
  return bytes.toString('latin1', 0, headerIn(bytes).byteLength + namedWithinBytes).match(/\bcharset\s*=\s*["']?([\w.:+-]+)/i)?.[1]
}

/** The bytes in UTF-8; unchanged where the charset is unknown. */
export function decoded(bytes: Buffer, charset: string): Buffer {
  try {
    return Buffer.from(new TextDecoder(charset).decode(bytes))
  } catch {
    // The charset is unknown.
    return bytes
  }
}

/**
 * The chunks of a message with its header converted to UTF-8, as the library expects raw bytes (RFC 6532). Line by line, since each may be written by
 * another program.
 */
function* readableChunksOf(source: Uint8Array): Generator<Buffer> {
  const bytes = bufferOf(source)
  const header = headerIn(bytes)
  const charset = isUtf8(header) ? undefined : charsetOf(bytes)
  if (charset === undefined) return yield* chunksOf(source)
  for (const line of header.toString('latin1').split(/(?<=\n)/)) {
    const written = Buffer.from(line, 'latin1')
    yield isUtf8(written) ? written : decoded(written, charset)
  }
  yield* chunksOf(source.subarray(header.byteLength))
}

export const streamOf = (source: Uint8Array) => Readable.from(readableChunksOf(source))
