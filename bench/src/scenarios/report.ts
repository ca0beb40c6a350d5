import { median } from '../measuring/statistics.js'
import type { Experiment, Figure } from '../scenario.js'
import { largeOffice, userOf, usersPerOffice } from '../seeding/offices.js'
import { days, seedReports } from '../seeding/reports.js'
import { startPeer } from './peers.js'
import { bearer } from './requests.js'

const dayBefore = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10)

export const report: Experiment = {
  name: 'report',
  what: '`GET /rest/report` of ten people with a million sentences in three years, beside the same sums by fastify and pg; the median of ten',

  async measure(distributed) {
    await seedReports(distributed.databases.cases)
    const headers = bearer(distributed.tokenFor(userOf(largeOffice)))
    const peer = await startPeer(distributed, 'reports')
    const timeOf = async (url: string, period: Record<string, string>) => {
      const times: number[] = []
      for (let i = 0; i < 10; i++) {
        const start = performance.now()
        const answer = await fetch(`${url}/rest/report?${new URLSearchParams(period)}`, { headers })
        const reports = (await answer.json()) as unknown[]
        if (reports.length !== usersPerOffice) throw new Error(`The report answered ${answer.status} with ${reports.length} people.`)
        times.push(performance.now() - start)
      }
      return median(times)
    }
    const figures: Figure[] = []
    for (const [what, length, atMost] of [
      ['a month', 30, 50],
      ['three years', days - 1, undefined],
    ] as const) {
      const period = { date_from: dayBefore(length), date_to: dayBefore(0) }
      figures.push({ what, value: await timeOf(distributed.url, period), unit: 'ms', ...(atMost !== undefined && { atMost }) })
      const bare = await timeOf(peer.url, { ...period, customer_id: String(largeOffice) })
      figures.push({ what: `${what}, the peer`, value: bare, unit: 'ms' })
    }
    return figures
  },
}
