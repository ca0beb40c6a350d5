import type { FastifyInstance } from 'fastify'
import { unavailable } from '../../errors/index.js'

export interface Health {
  /** Whether the process can go on; one that says no has to be restarted. Always, when it is left out. */
  alive?: () => boolean
  /** Whether it wants requests. Always, when it is left out. */
  ready?: () => boolean
}

/** `/healthz` and `/readyz`, for the supervisor of the process. */
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
