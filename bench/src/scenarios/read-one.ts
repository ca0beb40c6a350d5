import type { Comparison } from '../scenario.js'
import { smallOffice, userOf } from '../seeding/offices.js'
import { nest, startNest, startPeer } from './peers.js'
import { bearer } from './requests.js'

export const readOne: Comparison = {
  name: 'read-one',
  what: '`GET /rest/tag/{id}` through gateway and service, beside fastify and pg, and NestJS with Prisma, without gateway or rights',
  aims: [
    { of: 'ours', to: 'peer', atLeast: 0.45 },
    { of: 'ours', to: nest, atLeast: 1 },
  ],

  async contestants(distributed) {
    const statement = 'SELECT id FROM tags WHERE customer_id = $1 ORDER BY id LIMIT 100'
    const tags = await distributed.databases.cases.rows<{ id: string }>(statement, [smallOffice])
    const headers = bearer(distributed.tokenFor(userOf(smallOffice)))
    const requests = tags.map(({ id }) => ({ path: `/rest/tag/${id}`, headers }))
    return {
      ours: distributed.platform(requests),
      peer: distributed.peer(await startPeer(distributed, 'tags'), requests),
      [nest]: await startNest(
        distributed,
        requests.map((request) => ({ ...request, office: smallOffice })),
      ),
    }
  },
}
