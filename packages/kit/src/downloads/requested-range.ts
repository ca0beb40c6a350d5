import parseRange from 'range-parser'
import type { ByteRange } from '../blobs/index.js'

interface Asked {
  readonly range?: string | undefined
  /** The entity tag for which the part is wanted: of another file the whole (RFC 9110 13.1.5). */
  readonly ifRange?: string | undefined
}

/**
 * The part of a file that a request asks for (RFC 9110 14.2): `undefined` for the whole, which is also the answer to several parts, to what is no
 * range of bytes, and of an empty file, since programs ask for parts of every file; `unsatisfiable` where the file has no such part.
 */
export function requestedRange({ range, ifRange }: Asked, sizeBytes: number, etag: string): ByteRange | 'unsatisfiable' | undefined {
  if (range === undefined || sizeBytes === 0 || (ifRange !== undefined && ifRange !== etag)) return undefined
  const parts = parseRange(sizeBytes, withinSize(range, sizeBytes))
  if (parts === -1) return 'unsatisfiable'
  if (parts === -2 || parts.type !== 'bytes' || parts.length !== 1) return undefined
  return parts[0]
}

/** The last bytes of a file that has fewer are all of it (RFC 9110 14.1.2); range-parser takes them for a part that it does not have. */
const withinSize = (range: string, sizeBytes: number): string =>
  range.replace(/^(bytes=\s*-)(\d+)\s*$/, (_, suffix: string, count: string) => `${suffix}${Math.min(Number(count), sizeBytes)}`)
