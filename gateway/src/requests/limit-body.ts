import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { tooLarge } from '@caseway/kit/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isOpen, isPublic, isTokenRequest, mayUpload } from './targets.js'

/** The largest body of a request without a token, in bytes. */
const unknownLimitBytes = 65_536

interface BodyLimits {
  readonly bodyLimitBytes: number
  /** The largest body of an upload: the file and its multipart form. */
  readonly uploadLimitBytes: number
}

/** Refuses bodies whose declared length is too large, and counts bodies without a declared length. Requests without a token may have 64 KiB. */
export function limitBody(app: FastifyInstance, { bodyLimitBytes, uploadLimitBytes }: BodyLimits): void {
  const limitOf = (request: FastifyRequest) => {
    if (mayUpload(request)) return uploadLimitBytes
    const isUnknown = isTokenRequest(request) || isOpen(request) || isPublic(request)
    return isUnknown ? Math.min(unknownLimitBytes, bodyLimitBytes) : bodyLimitBytes
  }

  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw, method, headers } = request
    const limitBytes = limitOf(request)
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
  // Read an oversized body to its end: otherwise the connection closes before the client has read the answer.
  counter.once('error', () => body.resume())
  body.once('error', (error) => counter.destroy(error))
  return body.pipe(counter)
}
