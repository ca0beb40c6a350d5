import { LinkState as AuthLinkState, type CustomerEvent, type LinkEvent, type UserEvent } from '@caseway/protos/auth/v1/events'
import type { CopiedCustomer, CopiedLink, CopiedUser, LinkState } from './directory.js'

// Of what auth tells, only what this service asks of its copies.

export const copiedUser = ({ id, customerId, active, revision }: UserEvent): CopiedUser => ({ id, customerId, active, revision })

export const copiedCustomer = ({ id, timeZone, revision }: CustomerEvent): CopiedCustomer => ({ id, timeZone, revision })

const linkStates: Partial<Record<AuthLinkState, LinkState>> = {
  [AuthLinkState.INVITED]: 'invited',
  [AuthLinkState.ACTIVE]: 'active',
  [AuthLinkState.ENDED]: 'ended',
}

/** A state that this build does not know shows the client nothing, as a ban does. */
export const copiedLink = ({ id, customerId, clientId, state, banned, revision }: Omit<LinkEvent, CardField>): CopiedLink => ({
  id,
  customerId,
  clientId,
  state: banned ? 'banned' : (linkStates[state] ?? 'banned'),
  revision,
})

type CardField = 'email' | 'firstname' | 'lastname' | 'phone' | 'companyName'
