import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { revalidated } from '../server/default-headers.js'

const digestCharacters = 16

/**
 * The strong entity tag of a record (RFC 9110 8.8.3): its version, and a digest of the answer. The version alone does not change with embedded objects, nor
 * with the time zone of the office.
 */
export const etagOf = (version: number, answer: string) => `"${version}-${hash('sha256', answer, 'base64url').slice(0, digestCharacters)}"`

const tagsOf = (header: string) => header.split(',').map((tag) => tag.trim())

/** Stands for an entity tag that matches nothing: versions count from 1. */
const noVersion = 0

/**
 * The version that `If-Match` asks for (RFC 9110 13.1.1), or undefined when any will do. The digest is not compared: embedded objects are no part of what is
 * changed. A tag may be the version alone. Weak tags, lists and tags of any other form match nothing.
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
 * Gives the answer its entity tag, and says whether the caller has this version already (RFC 9110 15.4.5: 304). Called after every check: an
 * entity tag grants no access.
 * @param cacheControl who may keep the answer: its caller alone, who has to ask each time, unless said otherwise
 */
export function isUnchanged({ headers }: FastifyRequest, reply: FastifyReply, etag: string, cacheControl: string = revalidated): boolean {
  reply.headers({ etag, 'cache-control': cacheControl })
  return isKnown(headers['if-none-match'], etag)
}
