import type { Id } from '@caseway/kit/caller'
import { type ContactEvent, ContactKind } from '@caseway/protos/cases_and_counters/v1/events'

interface Person {
  readonly id: Id
  readonly customerId: Id
  readonly version: number
}

interface WholePerson extends Person {
  readonly providerId: Id
  readonly firstName: string
  readonly lastName: string
  readonly email: string
}

const kind = ContactKind.PROVIDER_PERSON

/** The whole state of a person. Its revision is the version of the row, which grows with every change. */
export const personEvent = ({ id, customerId, version, providerId, firstName, lastName, email }: WholePerson): ContactEvent => ({
  ...{ customerId, kind, id, firstName, lastName, email, providerId, deleted: false, revision: BigInt(version) },
})

/** The event of a deletion, which is the last one of a person. */
export const deletedPersonEvent = ({ id, customerId, version }: Person): ContactEvent => ({
  ...{ customerId, kind, id, firstName: '', lastName: '', email: '', providerId: 0n, deleted: true, revision: BigInt(version + 1) },
})
