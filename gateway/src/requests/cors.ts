import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { methods } from './methods.js'

/** Headers that a page needs for range requests. */
const ofRanges = ['Accept-Ranges', 'Content-Range']

const headers = {
  methods: [...methods],
  allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'Last-Event-ID', 'Range', 'If-Range'],
  exposedHeaders: ['Location', 'ETag', 'Link', 'X-Total-Count', 'Retry-After', 'X-Request-Id', 'Content-Disposition', ...ofRanges],
  maxAge: 600,
}

const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

/**
 * CORS for the pages of `origins` (Fetch Standard); without origins, no CORS headers are sent. Routes with `config.cors: false`, the public paths,
 * are left out: their service sends the CORS headers.
 */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  // The plugin takes any OPTIONS for a preflight, and refuses invalid ones with an error format of its own.
  const delegator = (request: FastifyRequest, done: (error: null, options: FastifyCorsOptions) => void) =>
    done(null, { ...headers, origin: [...origins], preflight: isPreflight(request) })
  await app.register(cors, { delegator })
}
