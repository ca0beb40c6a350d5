import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnchanged } from '../routes/etag.js'
import { json } from '../server/envelope.js'

/** JSON that many ask for and that seldom changes: its text is made once, and has an entity tag. */
export interface TaggedJson {
  readonly text: string
  readonly etag: string
}

/** The text of `value` with a strong entity tag, which is a hash of it (RFC 9110 8.8.3). */
export function taggedJson(value: unknown): TaggedJson {
  const text = JSON.stringify(value)
  return { text, etag: `"${hash('sha256', text, 'base64url')}"` }
}

/** Answers with the text, or with 304 to a client that has it. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, { text, etag }: TaggedJson): FastifyReply {
  if (isUnchanged(request, reply, etag)) return reply.code(304).send()
  return reply.type(json).send(text)
}
