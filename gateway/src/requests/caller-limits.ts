import type { ServerResponse } from 'node:http'
import { type Caller, callerKey } from '@caseway/kit/caller'
import { limited } from '@caseway/kit/errors'
import { networksOf } from '@caseway/kit/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { asksForToken, isLiveStream } from './targets.js'

export interface CallerLimitOptions {
  /** In a window of a minute that begins with the caller's first request. */
  readonly requestsPerMinute: number
  /** Requests that are not answered yet, except live streams, and requests for a token: many people of one address sign in at once. */
  readonly requestsAtOnce: number
}

/** Calls `decided` once: without an error the request may go on, otherwise it is refused with `limit` (429, Retry-After). */
export type CallerLimits = (request: FastifyRequest, reply: FastifyReply, decided: (refused?: Error) => void) => void

/**
 * Limits of one caller in this process: of a subject in its office where the token was good, else of the address (IPv6: the /64). The
 * counts are in memory: each process counts for itself, and from zero after its start.
 */
export function callerLimits({ requestsPerMinute, requestsAtOnce }: CallerLimitOptions): CallerLimits {
  const minute = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 })
  const begin = concurrency(requestsAtOnce)

  return (request, reply, decided) => {
    const caller = countedFor(request)
    minute.consume(caller).then(
      () => decided(isLiveStream(request) || asksForToken(request) ? undefined : begin(caller, reply.raw)),
      ({ msBeforeNext }: RateLimiterRes) => decided(limited(Math.ceil(msBeforeNext / 1000))),
    )
  }
}

/** The verifier remembers a token's caller, and gives the same object for each of its requests. */
const keys = new WeakMap<Caller, string>()

function keyOfCaller(caller: Caller): string {
  const key = keys.get(caller) ?? callerKey(caller)
  keys.set(caller, key)
  return key
}

/** What a request is counted for: its caller, or, without a valid token, the network of its address. */
const countedFor = (request: FastifyRequest): string =>
  request.caller ? keyOfCaller(request.caller) : networksOf(request.tracing.address)[0]

const retryAfterSeconds = 1

/** Counts the answers of each caller that are not finished; gives the refusal of one too many. */
function concurrency(max: number) {
  const counts = new Map<string, number>()
  const end = (caller: string) => {
    const left = (counts.get(caller) ?? 1) - 1
    if (left > 0) counts.set(caller, left)
    else counts.delete(caller)
  }
  return (caller: string, answer: ServerResponse): Error | undefined => {
    const count = counts.get(caller) ?? 0
    if (count >= max) return limited(retryAfterSeconds)
    // An answer whose connection is gone already does not close again.
    if (answer.destroyed) return undefined
    counts.set(caller, count + 1)
    answer.once('close', () => end(caller))
    return undefined
  }
}
