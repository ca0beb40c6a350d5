import type { Routes } from '@caseway/kit/http'
import type { KeyRing } from './key-ring.service.js'

/** The public keys, for whoever verifies tokens. */
export const keyRoutes =
  (ring: KeyRing): Routes =>
  (app) => {
    app.get('/.well-known/jwks.json', async (_, reply) => {
      reply.header('cache-control', 'no-cache')
      return ring.jwks()
    })
  }
