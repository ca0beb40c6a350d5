import type { Comparison } from '../scenario.js'
import { officeOfPeers, offices, userOf } from '../seeding/offices.js'
import { startPeer } from './peers.js'
import { bearer } from './requests.js'

/** The first case of each of the thousand offices. */
const someCases =
  'SELECT DISTINCT ON (issues.customer_id) customer_id::int AS office, id FROM issues WHERE customer_id = ANY ($1) ORDER BY issues.customer_id, id'

export const comments: Comparison = {
  name: 'comments',
  what: '`POST /rest/comment` on a case (row, check of the case, notifications), beside a bare insert of the row by fastify and pg',
  aims: [{ of: 'ours', to: 'peer', atLeast: 0.25 }],

  async contestants(distributed) {
    const issues = await distributed.databases.cases.rows<{ office: number; id: string }>(someCases, [offices])
    const posted = issues.map(({ office, id }) => ({
      ...{
        method: 'POST' as const,
        path: '/rest/comment',
        body: JSON.stringify({ Comment: { issue_id: id, body: 'Please look at this.' } }),
      },
      headers: { 'content-type': 'application/json', ...bearer(distributed.tokenFor(userOf(office))) },
    }))
    const peer = await startPeer(distributed, 'sentences', { CUSTOMER_ID: String(officeOfPeers) })
    return { ours: distributed.platform(posted), peer: distributed.peer(peer, posted) }
  },
}
