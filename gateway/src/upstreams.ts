import type { Audience } from '@caseway/kit/caller'

/** The services behind the gateway, by the names of their folders. */
export type UpstreamName = 'auth' | 'cases-and-counters'

/**
 * Who answers what: `/rest/<prefix>` and all that is below it, letter by letter, on each address. Whatever is not here does not exist
 * for the world outside.
 */
export const upstreams: Record<Audience, Readonly<Record<string, UpstreamName>>> = {
  expert: {
    token: 'auth',
    user: 'auth',
    user_role: 'auth',
    client: 'auth',
    customer_user_link: 'auth',
    audit_event: 'auth',
    tag: 'cases-and-counters',
    issue: 'cases-and-counters',
    counter: 'cases-and-counters',
    event: 'cases-and-counters',
  },
  client: {
    token: 'auth',
    client: 'auth',
    customer_user_link: 'auth',
    issue: 'cases-and-counters',
    event: 'cases-and-counters',
  },
}

/** The one answer that does not end by itself: Server-Sent Events. */
export const streamPath = '/rest/event/stream'

/** Where tokens are asked for (POST) and given back (DELETE). */
export const tokenPath = '/rest/token'
