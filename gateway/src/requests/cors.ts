import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { methods } from './methods.js'

/** What a page needs to read a file in parts. */
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
 * Lets the pages of `origins` call (Fetch Standard, CORS protocol). Without any, nothing is said about it. Routes with `config.cors: false` are left
 * out: of its public paths a service says itself who may.
 */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  // The plugin takes any OPTIONS for a preflight and refuses those that are none in its own words.
  const delegator = (request: FastifyRequest, done: (error: null, options: FastifyCorsOptions) => void) =>
    done(null, { ...headers, origin: [...origins], preflight: isPreflight(request) })
  await app.register(cors, { delegator })
}
