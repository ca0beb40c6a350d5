import { isUtf8 } from 'node:buffer'
import { PassThrough, Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** Bodies up to this size, in bytes, are forwarded in one piece, which is far cheaper than a stream. */
export const shortBytes = 65_536

/**
 * Reads a request body as a whole if its declared length is short and its type is declared; any other body stays a stream. A short body is complete
 * before the service is called, so the time that the caller takes for it does not count as the time of the service.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, body: Readable, done) => {
    const { 'content-length': length, 'content-type': type } = request.headers
    if (length === undefined || type === undefined || Number(length) > shortBytes) return done(null, detached(body))
    const chunks: Buffer[] = []
    body.on('data', (chunk: Buffer) => chunks.push(chunk))
    // The caller has disconnected, or was too slow: as in Fastify's own parsers, that is an error of the caller.
    body.once('error', (error) => done(Object.assign(error, { statusCode: 400 })))
    body.once('end', () => done(null, Buffer.concat(chunks)))
  })
  app.addHook('onResponse', ({ body }, _reply, done) => {
    if (body instanceof Readable) body.destroy()
    done()
  })
}

/**
 * A body that can be destroyed without its connection. undici destroys the body of a request when the service answers before its end; if that were the
 * request of the caller, its connection would be closed before the caller has read the answer. The rest of the request is then read and discarded.
 */
function detached(body: Readable): Readable {
  const passed = body.pipe(new PassThrough({ highWaterMark: shortBytes }))
  body.once('error', (error) => passed.destroy(error))
  return passed.once('close', () => body.resume())
}

/**
 * Sends UTF-8 bodies as strings: Node writes a string together with the head in one write, but a buffer in a second one. The head is written in the
 * encoding of the string, which is safe because the heads of services are ASCII.
 */
export function sendText(app: FastifyInstance): void {
  app.addHook('onSend', (_request, _reply, payload, done) => {
    done(null, Buffer.isBuffer(payload) && isUtf8(payload) ? payload.toString() : payload)
  })
}
