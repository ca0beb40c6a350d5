import { type Routes, sendTagged, type TaggedJson, taggedJson } from '@caseway/kit/http'
import type { KeyRing } from './key-ring.service.js'

/** The public keys, for services that verify tokens. */
export const keyRoutes =
  (ring: KeyRing): Routes =>
  (app) => {
    const texts = new WeakMap<object, TaggedJson>()
    app.get('/.well-known/jwks.json', async (request, reply) => {
      const jwks = await ring.jwks()
      const text = texts.get(jwks) ?? taggedJson(jwks)
      texts.set(jwks, text)
      return sendTagged(request, reply.header('cache-control', 'no-cache'), text)
    })
  }
