import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnchanged } from '../routes/etag.js'
import { revalidated } from '../server/default-headers.js'
import { json } from '../server/envelope.js'

/** A text with its entity tag. For a text that is requested often and seldom changes, both are made once. */
export interface TaggedJson {
  readonly text: string
  readonly etag: string
}

/** The JSON text of `value` with a strong entity tag. */
export const taggedJson = (value: unknown): TaggedJson => tagged(JSON.stringify(value))

/** `text` with a strong entity tag (RFC 9110 8.8.3), which is its SHA-256. */
export const tagged = (text: string): TaggedJson => ({ text, etag: `"${hash('sha256', text, 'base64url')}"` })

interface SendOptions {
  /** Its media type; `application/json` unless said otherwise. */
  readonly type?: string
  /** Who may keep the answer, and for how long (RFC 9111 5.2.2); its caller alone, who asks each time, unless said otherwise. */
  readonly cacheControl?: string
}

/** Answers with the text, or with 304 to a client that has it. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, etag }: TaggedJson,
  { type = json, cacheControl = revalidated }: SendOptions = {},
): FastifyReply {
  if (isUnchanged(request, reply, etag, cacheControl)) return reply.code(304).send()
  return reply.type(type).send(text)
}
