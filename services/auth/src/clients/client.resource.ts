import { type ChangesOf, defineResource, email, flagText, type InputOf, idText, line, nullable, timestamp } from '@caseway/kit/resource'

/** A client as the office knows them: the names are its own, the address and `external_user_id` are their account's. */
export const clientResource = defineResource({
  name: 'Client',
  path: 'client',
  table: 'office_client_cards',
  fields: {
    id: idText,
    customer_id: idText,
    email,
    firstname: line({ max: 100 }),
    lastname: line({ max: 100 }),
    phone: nullable(line({ max: 40 })),
    company_name: nullable(line({ max: 255 })),
    external_user_id: nullable(line({ max: 255, min: 1 })),
    banned: flagText,
    created: timestamp,
    modified: timestamp,
  },
  create: ['email', 'firstname', 'lastname', 'phone', 'company_name', 'banned', 'external_user_id'],
  required: ['email', 'firstname', 'lastname'],
  update: ['firstname', 'lastname', 'phone', 'company_name', 'banned'],
  filter: ['email', 'banned', 'external_user_id'],
  sort: ['id', 'lastname', 'modified'],
  unindexed: {
    email: 'Equality of citext is not leakproof: row-level security is applied first, so that the clients of the office are read.',
    banned: 'One of two values: the clients of the office are read.',
    external_user_id: 'Shown of active links alone, and so no column: the clients of the office are read.',
  },
})

export type NewClient = InputOf<typeof clientResource>
export type ClientChanges = ChangesOf<typeof clientResource>
