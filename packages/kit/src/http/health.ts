import type { FastifyInstance } from 'fastify'
import { unavailable } from '../errors/index.js'

/** `/healthz`: the process answers. `/readyz`: it wants requests. */
export function serveHealth(app: FastifyInstance, ready: () => boolean | Promise<boolean>): void {
  app.get('/healthz', async () => ({ status: 'OK' }))
  app.get('/readyz', async () => {
    if (!(await ready())) throw unavailable()
    return { status: 'OK' }
  })
}
