import type { Id } from '@caseway/kit/caller'
import type { GroupEvent } from '@caseway/protos/auth/v1/events'

interface Group {
  readonly id: Id
  readonly customerId: Id
  readonly name: string
  readonly deleted: boolean
  readonly version: number
}

/** The whole state of a group. Its revision is the version of the row, which grows with every change and with the deletion. */
export const groupEvent = ({ id, customerId, name, deleted, version }: Group): GroupEvent => ({
  id,
  customerId,
  name,
  deleted,
  revision: BigInt(version),
})
