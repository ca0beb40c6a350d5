import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { revalidated } from '../server/default-headers.js'

const digestCharacters = 16

/**
 * The strong entity tag of a record (RFC 9110 8.8.3): its version, and a digest of the answer. The version alone would not change with embedded objects, nor
 * with the time zone of the office.
 */
export const etagOf = (version: number, answer: string) => `"${version}-${hash('sha256', answer, 'base64url').slice(0, digestCharacters)}"`

const tagsOf = (header: string) => header.split(',').map((tag) => tag.trim())

/** The expected version for an entity tag that matches nothing. Versions count from 1. */
const noVersion = 0

/**
 * The version that `If-Match` names (RFC 9110 13.1.1); undefined where any will do; 0, which no record has, for weak tags, lists and malformed tags. The digest
 * may be missing, and is not compared, because embedded objects are not part of the change.
 */
export function expectedVersion(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const [, version] = /^"([1-9][0-9]{0,9})(?:-[\w-]{16})?"$/.exec(ifMatch.trim()) ?? []
  return Number(version ?? noVersion)
}

/** Whether `If-None-Match` names `etag` (RFC 9110 13.1.2: compared weakly). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return tagsOf(ifNoneMatch).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
}

/**
 * Sets the entity tag and `Cache-Control` of an answer. It checks no access: call it after all checks.
 * @param cacheControl by default `private, no-cache`: only the caller may store the answer, and must revalidate it each time
 * @returns whether `If-None-Match` names the tag, so that the answer is 304 (RFC 9110 15.4.5)
 */
export function isUnchanged({ headers }: FastifyRequest, reply: FastifyReply, etag: string, cacheControl: string = revalidated): boolean {
  reply.headers({ etag, 'cache-control': cacheControl })
  return isKnown(headers['if-none-match'], etag)
}
