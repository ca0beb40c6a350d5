import type { ServerResponse } from 'node:http'
import { type Caller, callerKey } from '@caseway/kit/caller'
import { limited } from '@caseway/kit/errors'
import { networksOf } from '@caseway/kit/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { isLiveStream, isTokenRequest } from './targets.js'

export interface CallerLimitOptions {
  /** Requests in a window of one minute that begins with the caller's first request. */
  readonly requestsPerMinute: number
  /** Concurrent requests, without live streams and requests for a token: many people behind one address sign in at once. */
  readonly requestsAtOnce: number
}

/** Calls `decided` once, without an error if the request may go on, otherwise with the error `limit` (429, `Retry-After`). */
export type CallerLimits = (request: FastifyRequest, reply: FastifyReply, decided: (refused?: Error) => void) => void

/**
 * Limits per caller in this process: per subject and office with a valid token, otherwise per address (IPv6: per /64). The counts are in memory, so
 * each process counts for itself and starts from zero.
 */
export function callerLimits({ requestsPerMinute, requestsAtOnce }: CallerLimitOptions): CallerLimits {
  const minute = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 })
  const begin = concurrency(requestsAtOnce)

  return (request, reply, decided) => {
    const caller = limitKeyOf(request)
    minute.consume(caller).then(
      () => decided(isLiveStream(request) || isTokenRequest(request) ? undefined : begin(caller, reply.raw)),
      ({ msBeforeNext }: RateLimiterRes) => decided(limited(Math.ceil(msBeforeNext / 1000))),
    )
  }
}

/** The verifier caches the caller of a token, and returns the same object for each of its requests. */
const keys = new WeakMap<Caller, string>()

function keyOfCaller(caller: Caller): string {
  const key = keys.get(caller) ?? callerKey(caller)
  keys.set(caller, key)
  return key
}

/** The key under which a request is counted: the caller or, without a valid token, the network of the address. */
const limitKeyOf = (request: FastifyRequest): string =>
  request.caller ? keyOfCaller(request.caller) : networksOf(request.tracing.address)[0]

const retryAfterSeconds = 1

/** Counts the unfinished answers of each caller; returns the error for a request above `max`. */
function concurrency(max: number) {
  const counts = new Map<string, number>()
  const end = (caller: string) => {
    const remaining = (counts.get(caller) ?? 1) - 1
    if (remaining > 0) counts.set(caller, remaining)
    else counts.delete(caller)
  }
  return (caller: string, answer: ServerResponse): Error | undefined => {
    const count = counts.get(caller) ?? 0
    if (count >= max) return limited(retryAfterSeconds)
    // A closed connection emits no further `close`, so it would never be counted down.
    if (answer.destroyed) return undefined
    counts.set(caller, count + 1)
    answer.once('close', () => end(caller))
    return undefined
  }
}
