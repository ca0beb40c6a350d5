import type { Id } from '@caseway/kit/caller'
import type { ClientEvent } from '@caseway/protos/auth/v1/events'

interface Client {
  readonly id: Id
  readonly email: string
  readonly firstname: string
  readonly lastname: string
  readonly phone: string | null
  readonly namesConfirmed: Date | null
  readonly version: number
}

/** Names and phone as far as the person has confirmed them: what an office entered is on its card alone. */
export const ownNames = ({ firstname, lastname, phone, namesConfirmed }: Omit<Client, 'id' | 'version' | 'email'>) =>
  namesConfirmed === null ? { firstname: '', lastname: '', phone: null } : { firstname, lastname, phone }

/** The whole state. The version of the row is the revision: it grows with every change. */
export const clientEvent = (client: Client): ClientEvent => {
  const { firstname, lastname, phone } = ownNames(client)
  return { id: client.id, email: client.email, firstname, lastname, phone: phone ?? '', revision: BigInt(client.version) }
}
