import type { Comparison } from '../scenario.js'
import { largeOffice, userOf } from '../seeding/offices.js'
import { seedSentences } from '../seeding/sentences.js'
import { startPeer } from './peers.js'
import { bearer } from './requests.js'

export const sentences: Comparison = {
  name: 'sentences',
  what: '`GET /rest/issue_sentence?issue_id=` (10 of a million sentences), beside the same rows by fastify and pg',
  aims: [{ of: 'ours', to: 'peer', atLeast: 0.4 }],

  async contestants(distributed) {
    const { cases } = distributed.databases
    await seedSentences(cases)
    const headers = bearer(distributed.tokenFor(userOf(largeOffice)))
    const newest = 'SELECT id FROM issues WHERE customer_id = $1 ORDER BY id DESC LIMIT 1000'
    const issues = await cases.rows<{ id: string }>(newest, [largeOffice])
    const paths = issues.map(({ id }) => `/rest/issue_sentence?limit=25&issue_id=${id}`)
    return {
      ours: distributed.platform(paths.map((path) => ({ path, headers }))),
      peer: distributed.peer(
        await startPeer(distributed, 'sentences'),
        paths.map((path) => ({ path: `${path}&customer_id=${largeOffice}`, headers })),
      ),
    }
  },
}
