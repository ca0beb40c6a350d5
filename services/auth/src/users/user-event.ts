import type { Id } from '@caseway/kit/caller'
import type { UserEvent } from '@caseway/protos/auth/v1/events'

interface User {
  readonly id: Id
  readonly customerId: Id
  readonly email: string
  readonly firstname: string
  readonly lastname: string
  readonly active: boolean
  readonly version: number
}

/** The whole state of an employee. Its revision is the version of the row, which grows with every change. */
export const userEvent = ({ id, customerId, email, firstname, lastname, active, version }: User): UserEvent => ({
  id,
  customerId,
  email,
  firstname,
  lastname,
  active,
  revision: BigInt(version),
})
