import type { Id } from '@caseway/kit/caller'
import { type CustomerEvent, type LinkEvent, LinkState, type UserEvent } from '@caseway/protos/auth/v1/events'
import { type ContactEvent, ContactKind } from '@caseway/protos/cases_and_counters/v1/events'
import type { AnswerEvent } from '@caseway/protos/polls_and_widgets/v1/events'
import { type IsPublic, officeDomain } from './office-domain.js'
import { addressKey } from './sender.js'

/** A row of the directory, with its column names. */
export interface SenderRow {
  readonly customer_id: Id
  readonly kind: 'client' | 'provider' | 'lead'
  readonly id: Id
  readonly address: string
  readonly client_id: Id | null
  readonly known: boolean
  readonly revision: bigint
  readonly [column: string]: unknown
}

/** A client is known to an office while they are linked with it. */
export const clientRow = ({ id, customerId, clientId, state, banned, email, revision }: LinkEvent): SenderRow => ({
  ...{ customer_id: customerId, kind: 'client', id, address: addressKey(email), client_id: clientId, revision },
  known: state === LinkState.ACTIVE && !banned && email !== '',
})

/** Contacts of other kinds, from newer builds, are ignored. */
export const isProviderPerson = ({ kind }: Pick<ContactEvent, 'kind'>): boolean => kind === ContactKind.PROVIDER_PERSON

/** A person of a provider is known to an office until the office deletes them. */
export const providerPersonRow = ({ id, customerId, email, deleted, revision }: ContactEvent): SenderRow => ({
  ...{ customer_id: customerId, kind: 'provider', id, address: addressKey(email), client_id: null, revision },
  known: !deleted && email !== '',
})

/** A visitor who has answered a poll of an office; undefined where they left no address. */
export function leadRow({ id, customerId, respondent }: AnswerEvent): SenderRow | undefined {
  const address = addressKey(respondent?.email ?? '')
  return address === '' ? undefined : { customer_id: customerId, kind: 'lead', id, address, client_id: null, known: true, revision: 1n }
}

/** An employee with the hash of their address, in PostgreSQL's text form of bytea. */
export const employeeRow = ({ id, email, active, revision }: UserEvent, hashOf: (address: string) => Buffer) => ({
  ...{ user_id: id, hash: `\\x${hashOf(email).toString('hex')}`, known: active && email !== '', revision },
})

/** An office with its own domain. */
export const officeDomainRow = ({ id, email, revision }: CustomerEvent, isPublic: IsPublic) => ({
  ...{ customer_id: id, domain: officeDomain(email, isPublic), revision },
})
