import { action, type Routes } from '@caseway/kit/http'
import Type from 'typebox'
import { ownLinkResource } from './own-link.resource.js'
import type { OwnLinkService } from './own-link.service.js'

const item = Type.Object({
  CustomerUserLink: Type.Object({ id: Type.String(), customer_id: Type.String() }),
  CustomerCompany: Type.Object({ name: Type.String() }),
})
const answer = { description: 'The offices that have invited the client.', ...Type.Object({ results: Type.Array(item) }) }

/** Invitations have the shape of links. A client accepts one by POST of a link with the office. */
export const invitationRoutes = (links: Pick<OwnLinkService, 'invitations'>): Routes =>
  action(
    ownLinkResource,
    { method: 'GET', path: 'invitation', operationId: 'listInvitations', answers: { 200: answer } },
    async ({ caller }) => ({
      results: (await links.invitations(caller)).map(({ id, customerId, name }) => ({
        CustomerUserLink: { id: String(id), customer_id: String(customerId) },
        CustomerCompany: { name },
      })),
    }),
  )
