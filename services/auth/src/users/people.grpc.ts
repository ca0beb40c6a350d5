import { unary } from '@caseway/kit/grpc'
import type { PeopleServiceServer } from '@caseway/protos/auth/v1/people'
import { linkStateOf } from '../clients/link-event.js'
import type { PeopleService } from './people.service.js'
import { userEvent } from './user-event.js'

export const peopleGrpc = (people: PeopleService): PeopleServiceServer => ({
  getUser: unary(async ({ customerId, id }) => {
    const { revision: _, ...user } = userEvent(await people.user(customerId, id))
    return { user }
  }),

  getClientLink: unary(async ({ customerId, clientId }) => {
    const { id, banned, version, ...link } = await people.link(customerId, clientId)
    return { link: { id, customerId, clientId, state: linkStateOf(link), banned, revision: BigInt(version) } }
  }),

  getGroup: unary(async ({ customerId, id }) => {
    const { name, version } = await people.group(customerId, id)
    return { group: { id, customerId, name, revision: BigInt(version) } }
  }),
})
