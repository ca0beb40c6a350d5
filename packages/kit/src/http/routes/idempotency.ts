import { createHmac, type Hmac } from 'node:crypto'
import { pipeline, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest, RequestPayload, RouteOptions } from 'fastify'
import { invalid } from '../../errors/index.js'
import type { Answer, IdempotencyStore, KeyedRequest } from '../../idempotency/index.js'
import type { Sealer } from '../../secrets/index.js'
import { json } from '../server/envelope.js'
import { answerOfRefusal } from '../server/failures.js'
import type { Space } from './routes.js'

const maxKeyLength = 255
const storedHeaders = ['location', 'etag', 'content-type'] as const

type Served = Pick<Space, 'audience' | 'zones'>

/**
 * Makes a POST route answer a repeated `Idempotency-Key` with its first answer. A failed validation is stored like any answer, so it is thrown inside of
 * `produce`. The handler must return its payload, and not send it.
 */
export function makeIdempotent(route: RouteOptions, store: IdempotencyStore, space: Served): void {
  const { handler } = route
  const mode = route.config?.idempotency ?? 'transaction'
  if (mode === 'none') return
  if (mode === 'streamed') {
    // An invalid key is refused before the body is read.
    route.preHandler = [...[route.preHandler ?? []].flat(), async (request: FastifyRequest) => void keyOf(request)]
    return
  }
  const digests = new WeakMap<FastifyRequest, Hmac>()

  route.preParsing = [
    ...[route.preParsing ?? []].flat(),
    async (request: FastifyRequest, _reply: FastifyReply, payload: RequestPayload) => {
      const key = keyOf(request)
      if (key === undefined) return payload
      const digest = digestOf(key, request)
      digests.set(request, digest)
      return digested(payload, digest)
    },
  ]
  route.attachValidation = true
  route.handler = async function (request, reply) {
    const work = async () => {
      if (request.validationError) throw request.validationError
      return handler.call(this, request, reply)
    }
    const key = keyOf(request)
    const digest = digests.get(request)?.digest('base64url')
    if (key === undefined || digest === undefined) return work()
    const keeping = keepingBy(route.config?.sealedBy, digest)
    return answerKeyed(store, space, { request, reply, key, digest, mode, keeping }, work)
  }
}

/** Implements `Space.answerOnce`. */
export const answerStreamed =
  (store: IdempotencyStore, space: Served): Space['answerOnce'] =>
  async (request, reply, content, work) => {
    const key = keyOf(request)
    if (key === undefined) return work()
    const digest = digestOf(key, request).update(content).digest('base64url')
    return answerKeyed(store, space, { request, reply, key, digest, mode: 'transaction', keeping: keepingBy(undefined, digest) }, work)
  }

interface Keyed extends Pick<KeyedRequest, 'key' | 'digest' | 'mode'> {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly keeping: ReturnType<typeof keepingBy>
}

/** Converts answers to their stored form and back. With a sealer the body is encrypted, and only a request with the same digest can decrypt it. */
const keepingBy = (sealer: Sealer | undefined, digest: string) => ({
  close: (answer: Answer): Answer =>
    sealer ? { ...answer, body: sealer.seal(Buffer.from(answer.body), digest).toString('base64') } : answer,
  open: (answer: Answer): Answer =>
    sealer ? { ...answer, body: sealer.open(Buffer.from(answer.body, 'base64'), digest).toString() } : answer,
})

async function answerKeyed(
  store: IdempotencyStore,
  { audience, zones }: Served,
  { request, reply, keeping, ...keyed }: Keyed,
  work: () => Promise<unknown>,
) {
  const { caller } = request
  // Fills the cache of zones now, so that the read does not happen within the transaction.
  await Promise.resolve(zones(caller.customerId)).catch(() => undefined)
  const [path] = request.url.split('?')
  const produce = async () => keeping.close(await produceAnswer(work, request, reply, audience))
  const answer = keeping.open(await store.once({ caller, route: `${request.method} ${path}`, ...keyed }, produce))
  return reply.code(answer.status).headers(answer.headers).send(answer.body)
}

const digestOf = (key: string, { method, url }: FastifyRequest): Hmac => createHmac('sha256', key).update(`${method} ${url}\n`)

/** The `Idempotency-Key` of a request, or undefined. @throws AppError `invalid` where it does not have 1 to 255 characters */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key !== '' && key.length <= maxKeyLength) return key
  throw invalid({ 'Idempotency-Key': `must be 1 to ${maxKeyLength} characters` })
}

/** Passes the body through unchanged, and adds its bytes to `digest`. */
function digested(payload: RequestPayload, digest: Hmac): RequestPayload {
  const through: Transform & { receivedEncodedLength?: number } = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk)
      through.receivedEncodedLength = (through.receivedEncodedLength ?? 0) + chunk.length
      done(null, chunk)
    },
  })
  // `pipeline` also destroys the other stream when one fails.
  return pipeline(payload, through, () => undefined)
}

async function produceAnswer(work: () => Promise<unknown>, request: FastifyRequest, reply: FastifyReply, realm: string): Promise<Answer> {
  try {
    const payload = await work()
    // A handler that returned the reply is visible only here: awaiting a reply gives undefined once it is sent.
    if (reply.sent) throw new Error(`POST ${request.url} sent its answer instead of returning it, so it cannot be repeated.`)
    const body = payload === undefined ? '' : typeof payload === 'string' ? payload : reply.serialize(payload)
    return { status: reply.statusCode, headers: { 'content-type': json, ...keptHeaders(reply) }, body: String(body) }
  } catch (error) {
    const answer = answerOfRefusal(error, realm)
    if (!answer || answer.status >= 500) throw error
    return answer
  }
}

/** Takes the headers to store off the reply, so that a retried or replayed answer does not inherit those of an earlier try. */
function keptHeaders(reply: FastifyReply): Record<string, string> {
  const headers = storedHeaders.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))] as const] : []))
  for (const [name] of headers) reply.removeHeader(name)
  return Object.fromEntries(headers)
}
