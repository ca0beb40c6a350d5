import type { Comparison } from '../scenario.js'
import { largeOffice, offices, smallOffice, userOf } from '../seeding/offices.js'
import { nest, startNest, startPeer } from './peers.js'
import { bearer } from './requests.js'

const same = (of: string) => ({ of, to: '10³ cases, 1 office', atLeast: 0.9, atMost: 1.1 })

export const counter: Comparison = {
  name: 'counter',
  what: '`GET /rest/counter`, beside the same rows by fastify and pg, and by NestJS with Prisma',
  aims: [
    { of: '10³ cases, 1 office', to: 'peer', atLeast: 0.3 },
    { of: '10³ cases, 1 office', to: nest, atLeast: 1 },
    same('10⁶ cases, 1 office'),
    same('10³ cases, 1,000 offices'),
    same('10⁶ cases, 1,000 offices'),
  ],

  async contestants(distributed) {
    const peer = await startPeer(distributed, 'counters')
    const requestOf = (office: number) => ({ path: '/rest/counter', headers: bearer(distributed.tokenFor(userOf(office))) })
    const [small, large, all] = [requestOf(smallOffice), requestOf(largeOffice), offices.map(requestOf)]
    const { userId } = userOf(smallOffice)
    return {
      '10³ cases, 1 office': distributed.platform([small]),
      '10⁶ cases, 1 office': distributed.platform([large]),
      '10³ cases, 1,000 offices': distributed.platform(all),
      // Every second request is of the office with a million cases.
      '10⁶ cases, 1,000 offices': distributed.platform(all.flatMap((request) => [request, large])),
      peer: distributed.peer(peer, [{ ...small, path: `/rest/counter?customer_id=${smallOffice}&user_id=${userId}` }]),
      [nest]: await startNest(distributed, [{ ...small, office: smallOffice }]),
    }
  },
}
