import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { tooLarge } from '@caseway/kit/errors'
import type { FastifyInstance } from 'fastify'

/** Refuses bodies that say they are larger than `limitBytes`, and counts those that do not say. */
export function limitBody(app: FastifyInstance, limitBytes: number): void {
  app.addHook('preParsing', ({ raw, method, headers }, _reply, payload, done) => {
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
  // Whoever sends too much must be read on, or he is cut off before he sees the answer.
  counter.once('error', () => body.resume())
  body.once('error', (error) => counter.destroy(error))
  return body.pipe(counter)
}
