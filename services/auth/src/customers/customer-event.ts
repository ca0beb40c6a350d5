import type { Id } from '@caseway/kit/caller'
import type { CustomerEvent } from '@caseway/protos/auth/v1/events'
import type { CustomerRecord } from './customer.resource.js'

type Customer = Omit<CustomerRecord, 'created' | 'modified' | 'language' | 'secondFactor'> & {
  readonly id: Id
  readonly language: string
  readonly deleted: boolean
  readonly deletesAt: Date | null
}

/** The whole state of an office. Its revision is the version of the row, which grows with every change. */
export const customerEvent = ({
  id,
  name,
  timeZone,
  language,
  sentencesByMail,
  deleted,
  deletesAt,
  version,
  ...contact
}: Customer): CustomerEvent => ({
  id,
  name,
  timeZone,
  language,
  sentencesByMail,
  deleted,
  closed: deletesAt !== null,
  taxNumber: contact.taxNumber ?? '',
  street: contact.street ?? '',
  zip: contact.zip ?? '',
  city: contact.city ?? '',
  voivodeship: contact.voivodeship ?? undefined,
  phone: contact.phone ?? '',
  email: contact.email ?? '',
  url: contact.url ?? '',
  revision: BigInt(version),
})
