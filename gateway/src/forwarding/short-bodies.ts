import { isUtf8 } from 'node:buffer'
import { PassThrough, Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** Bodies up to this size are passed on in one piece, which costs a fraction of what a stream does. In bytes. */
export const shortBytes = 65_536

/**
 * Reads the bodies of requests: short ones that say their length and type as a whole, the others as the streams that they are. A service gets a short
 * body when it is there, and the time that the caller takes for it is not the service's.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, body: Readable, done) => {
    const { 'content-length': length, 'content-type': type } = request.headers
    if (length === undefined || type === undefined || Number(length) > shortBytes) return done(null, leavable(body))
    const chunks: Buffer[] = []
    body.on('data', (chunk: Buffer) => chunks.push(chunk))
    body.once('error', done)
    body.once('end', () => done(null, Buffer.concat(chunks)))
  })
  app.addHook('onResponse', ({ body }, _reply, done) => {
    if (body instanceof Readable) body.destroy()
    done()
  })
}

/**
 * A body whose reader may leave it. The client for the service destroys what it was given when the service answers before the end: that would be the
 * connection of the caller, who could not read the answer. From then on the rest is read, and forgotten.
 */
function leavable(body: Readable): Readable {
  const passed = body.pipe(new PassThrough({ highWaterMark: shortBytes }))
  body.once('error', (error) => passed.destroy(error))
  return passed.once('close', () => body.resume())
}

/**
 * Text leaves together with its head in one write, bytes would be another one. Whatever is UTF-8 is the same bytes again as text. Node writes the head in
 * the encoding of the text: it is ASCII, as services write it.
 */
export function sendText(app: FastifyInstance): void {
  app.addHook('onSend', (_request, _reply, payload, done) => {
    done(null, Buffer.isBuffer(payload) && isUtf8(payload) ? payload.toString() : payload)
  })
}
