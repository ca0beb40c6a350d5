import { median, quantile } from '../measuring/statistics.js'
import { type DistributedPlatform, startDistributed } from '../platform/distributed.js'
import type { Figure, Settings, Standalone } from '../scenario.js'
import { seedClients } from '../seeding/client-data.js'
import { bearer } from './requests.js'

const clients = 2_000
const callers = 32

/** Runs on a platform of its own, with clients whom the external platform knows. */
export const clientData: Standalone = {
  name: 'client-data',
  what: `\`POST /rest/partner_client_data\` of different clients by ${callers} callers at once, without a single sign-on system: account, business card, events`,

  async measureAlone(settings) {
    const distributed = await startDistributed()
    try {
      const [office] = distributed.demo.offices
      await seedClients(distributed.databases, Number(office.customer_id), clients)
      return await changes(distributed, await tokenOf(distributed, office.technical), settings)
    } finally {
      await distributed.stop()
    }
  },
}

async function tokenOf({ url }: DistributedPlatform, application: object): Promise<string> {
  const body = JSON.stringify({ grant_type: 'client_credentials', ...application })
  const answer = await fetch(`${url}/rest/token`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ((await answer.json()) as { access_token: string }).access_token
}

async function changes({ url }: DistributedPlatform, token: string, { rounds, seconds }: Settings): Promise<Figure[]> {
  const headers = { 'content-type': 'application/json', ...bearer(token) }
  const times: number[] = []
  let next = 0

  /** Each call changes the name of the next client. */
  const callUntil = async (end: number) => {
    while (performance.now() < end) {
      const nth = next++
      const PartnerClientData = { external_user_id: `bench-${(nth % clients) + 1}`, lastname: `Name ${nth}` }
      const start = performance.now()
      const answer = await fetch(`${url}/rest/partner_client_data`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ PartnerClientData }),
      })
      const text = await answer.text()
      if (!text.includes('"updated_initiators":1')) throw new Error(`It was answered with ${answer.status}: ${text}`)
      times.push(performance.now() - start)
    }
  }
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [before, start] = [times.length, performance.now()]
    await Promise.all(Array.from({ length: callers }, () => callUntil(start + seconds * 1000)))
    rates.push((times.length - before) / ((performance.now() - start) / 1000))
  }
  return [
    { what: 'changes a second', value: median(rates), unit: '/s', atLeast: 200 },
    { what: 'p99', value: quantile(times, 0.99), unit: 'ms' },
  ]
}
