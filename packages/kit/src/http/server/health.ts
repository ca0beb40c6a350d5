import type { FastifyInstance } from 'fastify'
import { unavailable } from '../../errors/index.js'

export interface Health {
  /** Liveness: false means that the process must be restarted. Default always true. */
  alive?: () => boolean
  /** Readiness: false means that no requests should be sent to it. Default always true. */
  ready?: () => boolean
}

/** Serves `/healthz` (liveness) and `/readyz` (readiness): 200, or 503. */
export function serveHealth(app: FastifyInstance, { alive = always, ready = always }: Health): void {
  const answer = (holds: () => boolean) => async () => {
    if (!holds()) throw unavailable()
    return { status: 'OK' }
  }
  const config = { untraced: true }
  app.get('/healthz', { config }, answer(alive))
  app.get('/readyz', { config }, answer(ready))
}

const always = () => true
