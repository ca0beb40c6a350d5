import { median } from '../measuring/statistics.js'
import type { Experiment, Figure } from '../scenario.js'
import { largeOffice, userOf } from '../seeding/offices.js'
import { seedSentences, words } from '../seeding/sentences.js'
import { bearer } from './requests.js'

const queries = {
  'a word of every sentence': words.common,
  'a word of one sentence': words.rare,
  'a word of the older half of the cases alone': words.former,
  'a frequent and a rare word': `${words.common} w19999`,
  'the beginning of a word': 'w1999',
}

export const search: Experiment = {
  name: 'search',
  what: '`GET /rest/issue?limit=25&q=` in an office with a million sentences, beside a thousand others; the median of ten',

  async measure(distributed) {
    await seedSentences(distributed.databases.cases)
    const headers = bearer(distributed.tokenFor(userOf(largeOffice)))
    const timeOf = async (q: string) => {
      const start = performance.now()
      const answer = await fetch(`${distributed.url}/rest/issue?${new URLSearchParams({ limit: '25', q })}`, { headers })
      const found = (await answer.json()) as unknown[]
      if (!answer.ok || found.length === 0) throw new Error(`The search for ${q} answered ${answer.status} with ${found.length} cases.`)
      return performance.now() - start
    }
    const figures: Figure[] = []
    for (const [what, q] of Object.entries(queries)) {
      const times: number[] = []
      for (let i = 0; i < 10; i++) times.push(await timeOf(q))
      figures.push({ what, value: median(times), unit: 'ms', atMost: 50 })
    }
    return figures
  },
}
