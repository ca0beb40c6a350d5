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
const kept = ['location', 'etag', 'content-type'] as const

type Served = Pick<Space, 'audience' | 'zones'>

/**
 * Makes a POST route answer a repeated `Idempotency-Key` with its first answer. Validation is part of what is kept, so it
 * happens inside of `produce`. The handler has to return its payload.
 */
export function makeIdempotent(route: RouteOptions, store: IdempotencyStore, space: Served): void {
  const { handler } = route
  const mode = route.config?.idempotency ?? 'transaction'
  if (mode === 'none') return
  if (mode === 'streamed') {
    // A key that cannot be one is refused before the body is read.
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

/** `Space.answerOnce`. */
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

/** How an answer is kept: as it is, or encrypted for its request. */
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
  // Remembered from here on: a transaction does not read it for other requests.
  await Promise.resolve(zones(caller.customerId)).catch(() => undefined)
  const [path] = request.url.split('?')
  const produce = async () => keeping.close(await produceAnswer(work, request, reply, audience))
  const answer = keeping.open(await store.once({ caller, route: `${request.method} ${path}`, ...keyed }, produce))
  return reply.code(answer.status).headers(answer.headers).send(answer.body)
}

const digestOf = (key: string, { method, url }: FastifyRequest): Hmac => createHmac('sha256', key).update(`${method} ${url}\n`)

/** @throws AppError `invalid` when it is not 1 to 255 characters */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key !== '' && key.length <= maxKeyLength) return key
  throw invalid({ 'Idempotency-Key': `must be 1 to ${maxKeyLength} characters` })
}

/** The body as it is, whatever reads it, with its bytes added to `digest`. */
function digested(payload: RequestPayload, digest: Hmac): RequestPayload {
  const through: Transform & { receivedEncodedLength?: number } = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk)
      through.receivedEncodedLength = (through.receivedEncodedLength ?? 0) + chunk.length
      done(null, chunk)
    },
  })
  // An error of the one ends the other, and its reader with it.
  return pipeline(payload, through, () => undefined)
}

async function produceAnswer(work: () => Promise<unknown>, request: FastifyRequest, reply: FastifyReply, realm: string): Promise<Answer> {
  try {
    const payload = await work()
    // A handler that returns the reply has resolved to nothing by now: a reply can be awaited.
    if (reply.sent) throw new Error(`POST ${request.url} sent its answer instead of returning it, so it cannot be repeated.`)
    const body = payload === undefined ? '' : typeof payload === 'string' ? payload : reply.serialize(payload)
    return { status: reply.statusCode, headers: { 'content-type': json, ...keptHeaders(reply) }, body: String(body) }
  } catch (error) {
    const answer = answerOfRefusal(error, realm)
    if (!answer || answer.status >= 500) throw error
    return answer
  }
}

/** Moves the headers of an answer off the reply: produced again, or replayed, it must not keep those of another try. */
function keptHeaders(reply: FastifyReply): Record<string, string> {
  const headers = kept.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))] as const] : []))
  for (const [name] of headers) reply.removeHeader(name)
  return Object.fromEntries(headers)
}
