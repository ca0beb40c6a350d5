import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Caller } from '../caller/index.js'
import { invalid } from '../errors/index.js'
import { type Answer, json } from './envelope.js'
import { answerOfRefusal } from './failures.js'

/** Keeps the answers of requests that carry an `Idempotency-Key`. */
export interface IdempotencyStore {
  /**
   * The answer to one request: of `produce` for the first one with this key of the caller and route, the same answer again for
   * the others. What `produce` throws is not kept.
   * @throws AppError `conflict` when the key was used with another body, or the first request with it is still being worked on
   */
  once(caller: Caller, route: string, key: string, bodyHash: string, produce: () => Promise<Answer>): Promise<Answer>
}

const maxKeyLength = 255
const kept = ['location', 'etag', 'content-type'] as const
const ofNothing = hash('sha256', '')

/**
 * Makes a POST route answer a repeated `Idempotency-Key` with its first answer. Validation is part of what is kept, so it
 * happens inside of `produce`. The handler has to return its payload.
 */
export function makeIdempotent(route: RouteOptions, store: IdempotencyStore, realm: string): void {
  const { handler } = route
  route.attachValidation = true
  route.handler = async function (request, reply) {
    const work = async () => {
      if (request.validationError) throw request.validationError
      return handler.call(this, request, reply)
    }
    const key = request.headers['idempotency-key']
    if (key === undefined) return work()
    if (typeof key !== 'string' || key === '' || key.length > maxKeyLength) {
      throw invalid({ 'Idempotency-Key': `must be 1 to ${maxKeyLength} characters` })
    }
    const [path = ''] = request.url.split('?')
    const produce = () => produceAnswer(work, request, reply, realm)
    const answer = await store.once(request.caller, `POST ${path}`, key, request.bodyHash || ofNothing, produce)
    return reply.code(answer.status).headers(answer.headers).send(answer.body)
  }
}

async function produceAnswer(work: () => Promise<unknown>, request: FastifyRequest, reply: FastifyReply, realm: string): Promise<Answer> {
  try {
    const payload = await work()
    // A handler that returns the reply has resolved to nothing by now: a reply can be awaited.
    if (reply.sent) throw new Error(`POST ${request.url} sent its answer instead of returning it, so it cannot be repeated.`)
    const body = payload === undefined ? '' : typeof payload === 'string' ? payload : reply.serialize(payload)
    return { status: reply.statusCode, headers: { 'content-type': json, ...takeHeaders(reply) }, body: String(body) }
  } catch (error) {
    const answer = answerOfRefusal(error, realm)
    if (!answer || answer.status >= 500) throw error
    return answer
  }
}

/** Moves the headers of an answer off the reply: produced again, or replayed, it must not keep those of another try. */
function takeHeaders(reply: FastifyReply): Record<string, string> {
  const headers = kept.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))] as const] : []))
  for (const [name] of headers) reply.removeHeader(name)
  return Object.fromEntries(headers)
}
