import type { Comparison } from '../scenario.js'
import { smallOffice, userOf } from '../seeding/offices.js'
import { startPeer } from './peers.js'
import { bearer } from './requests.js'

export const list: Comparison = {
  name: 'list',
  what: '`GET /rest/tag?limit=25`, beside the same rows by fastify and pg',
  aims: [{ of: 'ours', to: 'peer', atLeast: 0.55 }],

  async contestants(distributed) {
    const headers = bearer(distributed.tokenFor(userOf(smallOffice)))
    const peer = await startPeer(distributed, 'tags')
    return {
      ours: distributed.platform([{ path: '/rest/tag?limit=25', headers }]),
      peer: distributed.peer(peer, [{ path: `/rest/tag?limit=25&customer_id=${smallOffice}`, headers }]),
    }
  },
}
