import { experts } from '@caseway/kit/caller'
import { email, idText, line, nullable, required, timestamp, writeOnly } from '@caseway/kit/fields'
import { defineResource, type InputOf, one } from '@caseway/kit/resource'

/** The links of an office with its clients. Administrators read them; experts may create and remove them as well. */
export const officeLinkResource = defineResource({
  name: 'CustomerUserLink',
  path: 'customer_user_link/client',
  table: 'client_links',
  where: { state: ['invited', 'active'] },
  fields: {
    id: idText,
    customer_id: idText,
    user_client_id: idText,
    email: required(writeOnly(email)),
    created: timestamp,
    modified: timestamp,
  },
  embedded: {
    Client: one('user_client_id', {
      id: idText,
      email,
      firstname: line({ max: 100 }),
      lastname: line({ max: 100 }),
      phone: nullable(line({ max: 40 })),
    }),
  },
  listAs: 'results',
  filter: ['user_client_id'],
  sort: ['id', 'modified'],
  roles: { read: ['administrator'], create: experts, remove: experts },
})

export type NewOfficeLink = InputOf<typeof officeLinkResource>
