import type { Id } from '@caseway/kit/caller'
import type { CustomerEvent } from '@caseway/protos/auth/v1/events'

interface Customer {
  readonly id: Id
  readonly name: string
  readonly timeZone: string
  readonly version: number
}

/** The whole state. The version of the row is the revision: it grows with every change. */
export const customerEvent = ({ id, name, timeZone, version }: Customer): CustomerEvent => ({
  id,
  name,
  timeZone,
  revision: BigInt(version),
})
