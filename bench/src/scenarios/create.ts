import type { Comparison } from '../scenario.js'
import { officeOfPeers, offices, smallOffice, userOf } from '../seeding/offices.js'
import { startPeer } from './peers.js'
import { bearer } from './requests.js'

const body = JSON.stringify({ Issue: { subject: 'Annual statement', priority: 3 } })

export const create: Comparison = {
  name: 'create',
  what: '`POST /rest/issue` (row, number, event, counters, live feed), beside a bare insert of the row by fastify and pg',
  aims: [
    { of: 'ours', to: 'peer', atLeast: 0.3 },
    { of: 'ours under Idempotency-Key', to: 'peer', atLeast: 0.15 },
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
    }
  },
}
