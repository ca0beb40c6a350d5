import parseRange from 'range-parser'
import type { ByteRange } from '../blobs/index.js'

interface RangeHeaders {
  readonly range?: string | undefined
  /** The entity tag of the version whose range is wanted. Of any other version the whole file is sent (RFC 9110 13.1.5). */
  readonly ifRange?: string | undefined
}

/**
 * The range of a file that a request asks for (RFC 9110 14.2). `undefined` means the whole file: without a range, for several ranges, for a range that is not
 * of bytes, and for an empty file, of which some programs request a range as well. `unsatisfiable` where the file has no such range.
 */
export function requestedRange({ range, ifRange }: RangeHeaders, sizeBytes: number, etag: string): ByteRange | 'unsatisfiable' | undefined {
  if (range === undefined || sizeBytes === 0 || (ifRange !== undefined && ifRange !== etag)) return undefined
  const parts = parseRange(sizeBytes, withinSize(range, sizeBytes))
  if (parts === -1) return 'unsatisfiable'
  if (parts === -2 || parts.type !== 'bytes' || parts.length !== 1) return undefined
  return parts[0]
}

/** A suffix range longer than the file means the whole file (RFC 9110 14.1.2); range-parser would call it unsatisfiable. */
const withinSize = (range: string, sizeBytes: number): string =>
  range.replace(/^(bytes=\s*-)(\d+)\s*$/, (_, suffix: string, count: string) => `${suffix}${Math.min(Number(count), sizeBytes)}`)
