import { type JobHandler, scheduledJob } from '@caseway/kit/jobs'
import type { KeyRing } from './key-ring.service.js'

const everyMs = 30_000

/** Rotates the signing key when it is due. */
export const keyRotation = (ring: KeyRing): JobHandler<unknown> =>
  scheduledJob('key-rotation', { every: everyMs }, () => ring.rotateWhenDue())
