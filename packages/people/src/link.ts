import { LinkState as AuthLinkState, type LinkEvent } from '@caseway/protos/auth/v1/events'

/** The state of a link between a client and an office. `banned` takes precedence over all others. */
export type LinkState = 'invited' | 'active' | 'ended' | 'banned'

/** The copied fields of a link; its events and `PeopleService` have the same ones. */
export type Link = Pick<LinkEvent, 'id' | 'customerId' | 'clientId' | 'state' | 'banned' | 'revision'>

const states: Partial<Record<AuthLinkState, LinkState>> = {
  [AuthLinkState.INVITED]: 'invited',
  [AuthLinkState.ACTIVE]: 'active',
  [AuthLinkState.ENDED]: 'ended',
}

/** A state that this build does not know denies access, as a ban does. */
export const stateOf = ({ state, banned }: Pick<Link, 'state' | 'banned'>): LinkState => (banned ? 'banned' : (states[state] ?? 'banned'))
