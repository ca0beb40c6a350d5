import type { Comparison } from '../scenario.js'
import { largeOffice, userOf } from '../seeding/offices.js'
import { seedSentences } from '../seeding/sentences.js'
import { bearer } from './requests.js'

const plain = 'the cases alone'

export const board: Comparison = {
  name: 'board',
  what: '`GET /rest/issue?limit=25&sort=-id&embed=Client,User,Tag,last_sentence` in an office with a million sentences, beside the same list without `embed`',
  aims: [{ of: 'ours', to: plain, atLeast: 0.4 }],

  async contestants(distributed) {
    await seedSentences(distributed.databases.cases)
    const headers = bearer(distributed.tokenFor(userOf(largeOffice)))
    const list = '/rest/issue?limit=25&sort=-id'
    return {
      ours: distributed.platform([{ path: `${list}&embed=Client,User,Tag,last_sentence`, headers }]),
      [plain]: distributed.platform([{ path: list, headers }]),
    }
  },
}
