import { LinkState as AuthLinkState, type LinkEvent } from '@caseway/protos/auth/v1/events'

/** Of a link between a client and an office. `banned` goes before everything else. */
export type LinkState = 'invited' | 'active' | 'ended' | 'banned'

/** What is copied of a link; its events and `PeopleService` say it alike. */
export type Link = Pick<LinkEvent, 'id' | 'customerId' | 'clientId' | 'state' | 'banned' | 'revision'>

const states: Partial<Record<AuthLinkState, LinkState>> = {
  [AuthLinkState.INVITED]: 'invited',
  [AuthLinkState.ACTIVE]: 'active',
  [AuthLinkState.ENDED]: 'ended',
}

/** A state that this build does not know shows the client nothing, as a ban does. */
export const stateOf = ({ state, banned }: Pick<Link, 'state' | 'banned'>): LinkState => (banned ? 'banned' : (states[state] ?? 'banned'))
