import type { Id, Subject } from '@caseway/kit/caller'
import type { Entry } from '../audit/audit-event.js'

interface ChangedLink {
  readonly customerId: Id
  readonly userClientId: Id
  readonly state: string
  readonly banned: boolean
}

/**
 * The entry for a link that was created, accepted, ended, banned or unbanned, in the trail of its office. `actor` is whoever did it, where that is not the
 * caller.
 */
export const linkEntry = ({ customerId, userClientId: id, state, banned }: ChangedLink, actor?: Subject): Entry => ({
  ...{ kind: 'link.changed', customerId, subject: { kind: 'client', id } },
  ...(actor && { actor }),
  details: { state, banned: banned ? '1' : '0' },
})

/** A new account, in the trail of the office that entered its address. */
export const clientEntry = (customerId: Id, id: Id): Entry => ({ kind: 'client.created', customerId, subject: { kind: 'client', id } })
