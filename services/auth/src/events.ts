import type { Id } from '@caseway/kit/caller'
import { defineTopic } from '@caseway/kit/events'
import { ClientEvent, CustomerEvent, LinkEvent, LinkState, SessionEvent, UserEvent } from '@caseway/protos/auth/v1/events'

export const customerTopic = defineTopic({ name: 'auth.customer.v1', message: CustomerEvent, key: ({ id }) => String(id) })
export const userTopic = defineTopic({ name: 'auth.user.v1', message: UserEvent, key: ({ customerId }) => String(customerId) })
export const clientTopic = defineTopic({ name: 'auth.client.v1', message: ClientEvent, key: ({ id }) => String(id) })
export const linkTopic = defineTopic({ name: 'auth.link.v1', message: LinkEvent, key: ({ customerId }) => String(customerId) })
export const sessionTopic = defineTopic({ name: 'auth.session.v1', message: SessionEvent, key: ({ sessionId }) => sessionId })

/** Everything that this service tells. */
export const topics = [customerTopic, userTopic, clientTopic, linkTopic, sessionTopic]

// Whole states. The version of the row is the revision: it grows with every change.

interface Versioned {
  readonly id: Id
  readonly version: number
}

interface Named extends Versioned {
  readonly firstname: string
  readonly lastname: string
}

interface Customer extends Versioned {
  readonly name: string
  readonly timeZone: string
}

interface User extends Named {
  readonly customerId: Id
  readonly email: string
  readonly active: boolean
}

interface Client extends Named {
  readonly email: string
  readonly phone: string | null
  readonly namesConfirmed: Date | null
}

interface ClientLink extends Named {
  readonly customerId: Id
  readonly userClientId: Id
  readonly state: string
  readonly banned: boolean
  readonly phone: string | null
  readonly companyName: string | null
}

export const customerEvent = ({ id, name, timeZone, version }: Customer): CustomerEvent => ({
  id,
  name,
  timeZone,
  revision: BigInt(version),
})

export const userEvent = ({ id, customerId, email, firstname, lastname, active, version }: User): UserEvent => ({
  id,
  customerId,
  email,
  firstname,
  lastname,
  active,
  revision: BigInt(version),
})

/** Names and phone as far as the person has confirmed them: what an office entered is on its card alone. */
export const ownNames = ({ firstname, lastname, phone, namesConfirmed }: Omit<Client, keyof Versioned | 'email'>) =>
  namesConfirmed === null ? { firstname: '', lastname: '', phone: null } : { firstname, lastname, phone }

export const clientEvent = (client: Client): ClientEvent => {
  const { firstname, lastname, phone } = ownNames(client)
  return { id: client.id, email: client.email, firstname, lastname, phone: phone ?? '', revision: BigInt(client.version) }
}

const linkStates: Record<string, LinkState> = { invited: LinkState.INVITED, active: LinkState.ACTIVE, ended: LinkState.ENDED }

export const linkStateOf = ({ state }: Pick<ClientLink, 'state'>): LinkState => linkStates[state] ?? LinkState.UNSPECIFIED

export const linkEvent = (link: ClientLink, email: string): LinkEvent => ({
  id: link.id,
  customerId: link.customerId,
  clientId: link.userClientId,
  state: linkStateOf(link),
  banned: link.banned,
  email,
  firstname: link.firstname,
  lastname: link.lastname,
  phone: link.phone ?? '',
  companyName: link.companyName ?? '',
  revision: BigInt(link.version),
})
