import { idText, line, once, required } from '@caseway/kit/fields'
import { defineResource, type InputOf, one } from '@caseway/kit/resource'

/** The offices of a client, as the client sees them. */
export const ownLinkResource = defineResource({
  name: 'CustomerUserLink',
  path: 'customer_user_link',
  table: 'client_links',
  where: { state: 'active', banned: false },
  audience: 'client',
  ownedBy: 'user_client_id',
  fields: { id: idText, customer_id: required(once(idText)) },
  embedded: { CustomerCompany: one('customer_id', { name: line({ max: 255 }) }) },
  listAs: 'results',
})

export type NewOwnLink = InputOf<typeof ownLinkResource>
