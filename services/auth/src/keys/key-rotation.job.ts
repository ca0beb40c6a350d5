import { type JobHandler, scheduledJob } from '@caseway/kit/jobs'
import type { KeyRing } from './key-ring.service.js'

const everyMs = 30_000

/** Looks whether a new key is due. */
export const keyRotation = (ring: KeyRing): JobHandler<unknown> =>
  scheduledJob('key-rotation', { every: everyMs }, () => ring.rotateWhenDue())
