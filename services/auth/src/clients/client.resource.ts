import { email, flagText, idText, line, nullable, once, required, timestamp, writable } from '@caseway/kit/fields'
import { type ChangesOf, defineResource, type InputOf } from '@caseway/kit/resource'

/** A client as an office sees them: the names come from its card, the address and `external_user_id` from the account. */
export const clientResource = defineResource({
  name: 'Client',
  path: 'client',
  table: 'office_client_cards',
  fields: {
    id: idText,
    customer_id: idText,
    email: once(required(email)),
    firstname: required(line({ max: 100 })),
    lastname: required(line({ max: 100 })),
    phone: writable(nullable(line({ max: 40 }))),
    company_name: writable(nullable(line({ max: 255 }))),
    external_user_id: once(nullable(line({ max: 255, min: 1 }))),
    banned: writable(flagText),
    created: timestamp,
    modified: timestamp,
  },
  filter: ['email', 'banned', 'external_user_id'],
  sort: ['id', 'lastname', 'modified'],
  unindexed: {
    email: 'Equality of citext is not leakproof: row-level security is applied first, so that all clients of the office are read.',
    banned: 'An index of two values does not help: all clients of the office are read.',
    external_user_id: 'It is computed, because only active links show it: all clients of the office are read.',
  },
})

export type NewClient = InputOf<typeof clientResource>
export type ClientChanges = ChangesOf<typeof clientResource>
