import type { Id } from '@caseway/kit/caller'
import { type LinkEvent, LinkState } from '@caseway/protos/auth/v1/events'

interface ClientLink {
  readonly id: Id
  readonly customerId: Id
  readonly userClientId: Id
  readonly state: string
  readonly banned: boolean
  readonly erased: boolean
  readonly invitedEmail: string | null
  readonly firstname: string
  readonly lastname: string
  readonly phone: string | null
  readonly companyName: string | null
  readonly version: number
}

const linkStates: Record<string, LinkState> = { invited: LinkState.INVITED, active: LinkState.ACTIVE, ended: LinkState.ENDED }

export const linkStateOf = ({ state, erased }: Pick<ClientLink, 'state' | 'erased'>): LinkState =>
  erased ? LinkState.ERASED : (linkStates[state] ?? LinkState.UNSPECIFIED)

/** The address that the office may know: while an invitation is open, the one that it invited, even if the account has changed it. */
const knownAddress = ({ state, erased, invitedEmail }: ClientLink, email: string): string => {
  if (erased) return ''
  return state === 'invited' ? (invitedEmail ?? email) : email
}

/**
 * The whole state of a link. Its revision is the version of the row, which grows with every change.
 * @param hadEnded whether the link had ended before the change
 */
export const linkEvent = (link: ClientLink, email: string, hadEnded = false): LinkEvent => ({
  id: link.id,
  customerId: link.customerId,
  clientId: link.userClientId,
  state: linkStateOf(link),
  banned: link.banned,
  email: knownAddress(link, email),
  firstname: link.firstname,
  lastname: link.lastname,
  phone: link.phone ?? '',
  companyName: link.companyName ?? '',
  revision: BigInt(link.version),
  resumed: hadEnded && link.state !== 'ended',
  alreadyEnded: hadEnded && link.state === 'ended',
})
