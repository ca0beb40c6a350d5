import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { tooLarge } from '@caseway/kit/errors'
import type { FastifyInstance } from 'fastify'
import { asksForToken, isOpen } from './targets.js'

/** The largest body of a request that needs no token, in bytes: the caller is not known. */
const unknownLimitBytes = 65_536

/** Refuses bodies that say they are larger than `maxBytes`, or than 64 KiB where no token is needed, and counts those that do not say. */
export function limitBody(app: FastifyInstance, maxBytes: number): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw, method, headers } = request
    const limitBytes = asksForToken(request) || isOpen(request) ? Math.min(unknownLimitBytes, maxBytes) : maxBytes
    if (Number(headers['content-length'] ?? 0) > limitBytes) return done(tooLarge())
    const isUncounted = headers['transfer-encoding'] !== undefined && method !== 'GET' && method !== 'HEAD'
    done(null, isUncounted ? counted(raw, limitBytes) : payload)
  })
}

function counted(body: IncomingMessage, limitBytes: number): Readable {
  let sizeBytes = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length
      done(sizeBytes > limitBytes ? tooLarge() : null, chunk)
    },
  })
  // A body that is too large is read to its end, or the connection closes before the client has read the answer.
  counter.once('error', () => body.resume())
  body.once('error', (error) => counter.destroy(error))
  return body.pipe(counter)
}
