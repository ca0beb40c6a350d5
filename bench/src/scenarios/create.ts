import type { Comparison } from '../scenario.js'
import { officeOfPeers, offices, officesOfPeers, smallOffice, userOf } from '../seeding/offices.js'
import { nest, startNest, startPeer } from './peers.js'
import { bearer } from './requests.js'

const body = JSON.stringify({ Issue: { subject: 'Annual statement', priority: 3 } })

const nestInOneOffice = `${nest}, all in one office`

export const create: Comparison = {
  name: 'create',
  what: '`POST /rest/issue` (row, number, event, counters, live feed), beside a bare insert of the row by fastify and pg, and row and number by NestJS with Prisma',
  aims: [
    { of: 'ours', to: 'peer', atLeast: 0.3 },
    { of: 'ours under Idempotency-Key', to: 'peer', atLeast: 0.2 },
    { of: 'ours, all in one office', to: 'peer', atLeast: 0.25 },
    { of: 'ours', to: nest, atLeast: 1 },
    { of: 'ours, all in one office', to: nestInOneOffice, atLeast: 1 },
  ],

  async contestants(distributed) {
    const peer = await startPeer(distributed, 'cases', { CUSTOMER_ID: String(officeOfPeers) })
    const posted = (office: number) => ({
      ...{ method: 'POST' as const, path: '/rest/issue', body },
      headers: { 'content-type': 'application/json', ...bearer(distributed.tokenFor(userOf(office))) },
    })
    const all = offices.map(posted)
    const withKey = all.map((request) => ({ ...request, headers: { ...request.headers, 'idempotency-key': '[<id>]' } }))
    return {
      ours: distributed.platform(all),
      'ours under Idempotency-Key': distributed.platform(withKey, true),
      'ours, all in one office': distributed.platform([posted(smallOffice)]),
      peer: distributed.peer(peer, [posted(officeOfPeers)]),
      [nest]: await startNest(
        distributed,
        officesOfPeers.map((office) => ({ ...posted(office), office })),
      ),
      [nestInOneOffice]: await startNest(distributed, [{ ...posted(officeOfPeers), office: officeOfPeers }]),
    }
  },
}
