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

/** The names and the phone number that the person has confirmed. What an office entered is only on its card. */
export const ownNames = ({ firstname, lastname, phone, namesConfirmed }: Omit<Client, 'id' | 'version' | 'email'>) =>
  namesConfirmed === null ? { firstname: '', lastname: '', phone: null } : { firstname, lastname, phone }

/** The whole state of an account. Its revision is the version of the row, which grows with every change. */
export const clientEvent = (client: Client): ClientEvent => {
  const { firstname, lastname, phone } = ownNames(client)
  return { id: client.id, email: client.email, firstname, lastname, phone: phone ?? '', revision: BigInt(client.version) }
}
