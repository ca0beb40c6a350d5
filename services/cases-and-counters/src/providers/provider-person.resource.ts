import { email, idText, line, nullable, paragraph, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf, one } from '@caseway/kit/resource'

/** A contact person of a provider. */
export const providerPersonResource = defineResource({
  name: 'ProviderPerson',
  path: 'provider_person',
  table: 'provider_persons',
  fields: {
    id: idText,
    customer_id: idText,
    // A missing provider is refused with the same text as an unknown one.
    provider_id: required(idText, 'does not exist'),
    issue_initiator_id: writable(nullable(idText)),
    first_name: required(line({ max: 100 })),
    last_name: required(line({ max: 100 })),
    description: writable(paragraph({ max: 10_000 })),
    email: required(email),
    phone: writable(line({ max: 40 })),
    created: timestamp,
    modified: timestamp,
  },
  embedded: { Provider: one('provider_id', { name: line({ max: 255 }) }) },
  createAnswers: 'record',
  filter: ['provider_id'],
  sort: ['id', 'last_name', 'modified'],
})

export type NewProviderPerson = InputOf<typeof providerPersonResource>
export type ProviderPersonChanges = ChangesOf<typeof providerPersonResource>
