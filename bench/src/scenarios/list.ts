import type { Comparison } from '../scenario.js'
import { smallOffice, userOf } from '../seeding/offices.js'
import { nest, startNest, startPeer } from './peers.js'
import { bearer } from './requests.js'

export const list: Comparison = {
  name: 'list',
  what: '`GET /rest/tag?limit=25`, beside the same rows by fastify and pg, and by NestJS with Prisma',
  aims: [
    { of: 'ours', to: 'peer', atLeast: 0.55 },
    { of: 'ours', to: nest, atLeast: 1 },
  ],

  async contestants(distributed) {
    const headers = bearer(distributed.tokenFor(userOf(smallOffice)))
    const peer = await startPeer(distributed, 'tags')
    const request = { path: '/rest/tag?limit=25', headers }
    return {
      ours: distributed.platform([request]),
      peer: distributed.peer(peer, [{ path: `/rest/tag?limit=25&customer_id=${smallOffice}`, headers }]),
      [nest]: await startNest(distributed, [{ ...request, office: smallOffice }]),
    }
  },
}
