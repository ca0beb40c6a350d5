import { defineResource, type InputOf, idText, line } from '@caseway/kit/resource'

/** The offices that a client deals with, as they see them. */
export const ownLinkResource = defineResource({
  name: 'CustomerUserLink',
  path: 'customer_user_link',
  table: 'active_links',
  audience: 'client',
  ownedBy: 'user_client_id',
  fields: { id: idText, customer_id: idText },
  joined: { CustomerCompany: { name: line({ max: 255 }) } },
  listAs: 'results',
  create: ['customer_id'],
  required: ['customer_id'],
})

export type NewOwnLink = InputOf<typeof ownLinkResource>
