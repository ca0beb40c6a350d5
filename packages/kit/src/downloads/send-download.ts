import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../blobs/index.js'
import { freeWritten, observe } from '../buffers/index.js'
import { envelope, isUnchanged, send } from '../http/index.js'
import { requestedRange } from './requested-range.js'

/** Bytes that came from outside, as they go out. */
export interface Download {
  readonly name: string
  /** Media type. */
  readonly mime: string
  readonly sizeBytes: number
  /** Strong, with its quotes. */
  readonly etag: string
}

const noSuchPart = envelope(416, 'The file has no such part.', 'RANGE_NOT_SATISFIABLE')

/** How bytes from outside leave: nothing of them is shown in a page of ours, and no browser guesses what they are. */
const headersOf = ({ name, mime }: Download) => ({
  'content-type': mime,
  'content-disposition': contentDisposition(name),
  'content-security-policy': 'sandbox',
  'accept-ranges': 'bytes',
})

/**
 * Answers with a file, with a part of it where the request names one (one range at most, RFC 9110 14), or with 304 or 416. For callers who may
 * have it: it is called after every check.
 * @param open is asked only where bytes are sent; what it throws is the answer. What the stream yields is freed when it has been written
 */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Download,
  open: (range?: ByteRange) => Promise<Readable>,
): Promise<FastifyReply> {
  const { etag, sizeBytes } = file
  const { 'if-range': ifRange } = request.headers
  // It is defined for GET alone (RFC 9110 14.2).
  const range = request.method === 'GET' ? request.headers.range : undefined
  if (isUnchanged(request, reply, etag)) return reply.code(304).send()
  const part = requestedRange({ range, ifRange: ifRange as string | undefined }, sizeBytes, etag)
  if (part === 'unsatisfiable') return send(reply.header('content-range', `bytes */${sizeBytes}`), noSuchPart)
  // Where only the head is asked for, nothing is read. Before there are bytes nothing is said of them: an error has a length of its own.
  const length = part ? part.end - part.start + 1 : sizeBytes
  const content = request.method === 'HEAD' ? Readable.from([]) : closeIfIncomplete(reply, length, await open(part))
  reply.headers(headersOf(file)).header('content-length', length)
  if (part) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${sizeBytes}`)
  freeWritten(reply.raw)
  return reply.send(content)
}

/** Where `content` ends early, the connection closes (RFC 9112 8): the client would wait for the rest. */
function closeIfIncomplete(reply: FastifyReply, length: number, content: Readable): Readable {
  let missing = length
  content.once('end', () => {
    if (missing === 0) return
    reply.log.error({ missing }, 'The storage has fewer bytes of a file than its record says.')
    reply.raw.destroy()
  })
  return observe(content, ({ length }) => {
    missing -= length
  })
}
