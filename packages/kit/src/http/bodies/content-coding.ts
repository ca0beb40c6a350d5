import { errorCodes, type FastifyInstance } from 'fastify'

/**
 * Answers a body with a content coding, such as gzip, with 415 and `Accept-Encoding` (RFC 9110 15.5.16). Fastify ignores the header: a compressed body would
 * be refused as invalid JSON, and an uncompressed one with the header would be accepted.
 */
export function refuseCodedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', ({ headers }, reply, payload, done) => {
    const coding = headers['content-encoding']?.toLowerCase() ?? 'identity'
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (!hasBody || coding === 'identity') return done(null, payload)
    reply.header('accept-encoding', 'identity')
    done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE())
  })
}
