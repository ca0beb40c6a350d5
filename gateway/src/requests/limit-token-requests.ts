import { limited } from '@caseway/kit/errors'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { clientAddressOf, networkOf } from './client-address.js'
import { asksForToken } from './targets.js'

const minuteMs = 60_000

/** So many requests for a token come through from one address each minute. */
export async function limitTokenRequests(app: FastifyInstance, max: number): Promise<void> {
  await app.register(rateLimit, { global: false })
  const count = app.createRateLimit({ max, timeWindow: minuteMs, keyGenerator: (request) => networkOf(clientAddressOf(request)) })

  app.addHook('onRequest', async (request) => {
    if (!asksForToken(request)) return
    const counted = await count(request)
    if (!counted.isAllowed && counted.isExceeded) throw limited(Math.max(1, counted.ttlInSeconds))
  })
}
