import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'

/** Of a message that is returned: its header. */
export const returnedBytes = 256 * 1024

/** The same bytes: nothing is copied. */
export const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** A line whose bytes the library gives as characters. The name in it is ASCII. */
export function inUtf8(line: string): string {
  const bytes = Buffer.from(line, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : line
}

/** In bytes. The library splits all that it is given at once into lines and holds them: those of a whole message take several times its size. */
const chunkBytes = 65_536

function* chunksOf(source: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < source.byteLength; at += chunkBytes) yield bufferOf(source.subarray(at, at + chunkBytes))
}

/** Of the header and what follows it, in which a charset is looked for. */
export const namedWithinBytes = 65_536

export function headerIn(bytes: Buffer): Buffer {
  const ends = ['\r\n\r\n', '\n\n'].map((empty) => bytes.indexOf(empty)).filter((at) => at >= 0)
  return bytes.subarray(0, Math.min(...ends, returnedBytes))
}

/** The first charset that a message names: of its text, in which older programs write raw bytes. */
export function charsetOf(bytes: Buffer): string | undefined {
  return bytes.toString('latin1', 0, headerIn(bytes).byteLength + namedWithinBytes).match(/\bcharset\s*=\s*"?([\w.:+-]+)/i)?.[1]
}

function decoded(bytes: Buffer, charset: string): Buffer {
  try {
    return Buffer.from(new TextDecoder(charset).decode(bytes))
  } catch {
    // Nobody knows the charset.
    return bytes
  }
}

/** With the header in UTF-8, which is what the library takes raw bytes for (RFC 6532). In lines: each may be written by another program. */
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
