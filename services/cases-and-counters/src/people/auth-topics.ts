import { defineTopic } from '@caseway/kit/events'
import { CustomerEvent, LinkEvent, LinkState, UserEvent } from '@caseway/protos/auth/v1/events'
import type { CopiedCustomer, CopiedLink, CopiedUser } from './directory.js'

export const userTopic = defineTopic({ name: 'auth.user.v1', message: UserEvent, key: ({ customerId }) => String(customerId) })
export const customerTopic = defineTopic({ name: 'auth.customer.v1', message: CustomerEvent, key: ({ id }) => String(id) })
export const linkTopic = defineTopic({ name: 'auth.link.v1', message: LinkEvent, key: ({ customerId }) => String(customerId) })

// Of what auth tells, only what this service asks of its copies.

export const copiedUser = ({ id, customerId, active, revision }: UserEvent): CopiedUser => ({ id, customerId, active, revision })

export const copiedCustomer = ({ id, timeZone, revision }: CustomerEvent): CopiedCustomer => ({ id, timeZone, revision })

export const copiedLink = ({ id, customerId, clientId, state, banned, revision }: LinkEvent): CopiedLink => ({
  id,
  customerId,
  clientId,
  linked: isLinked({ state, banned }),
  revision,
})

export const isLinked = ({ state, banned }: { state: LinkState; banned: boolean }) => state === LinkState.ACTIVE && !banned
