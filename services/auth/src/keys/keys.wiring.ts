import type { Logger } from '@caseway/kit/observability'
import type { Secrets } from '@caseway/kit/secrets'
import type { Db } from '../database.js'
import { keyRepository } from './key.repository.js'
import { keyRoutes } from './key.routes.js'
import { keyRing } from './key-ring.service.js'
import { keyRotation } from './key-rotation.job.js'

interface Dependencies {
  readonly secrets: Secrets
  readonly rotationMs: number
  readonly accessTokenMs: number
  readonly log: Logger
}

/** The signing keys of access tokens. */
export function wireKeys(db: Db, { secrets, ...dependencies }: Dependencies) {
  const ring = keyRing({ keys: keyRepository(db, secrets.sealer('signing-keys')), ...dependencies })
  return {
    ring,
    part: { name: 'signing keys', start: () => ring.start(), stop: () => ring.stop() },
    routes: keyRoutes(ring),
    job: keyRotation(ring),
  }
}
