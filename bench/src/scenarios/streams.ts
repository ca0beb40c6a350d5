import { setTimeout as pause } from 'node:timers/promises'
import { registry } from '@caseway/registry'
import { settledKib } from '../measuring/memory.js'
import { pace } from '../measuring/pace.js'
import { type Change, openStreams } from '../measuring/streams.js'
import type { DistributedPlatform } from '../platform/distributed.js'
import type { Experiment, Figure, Settings } from '../scenario.js'
import { publishingOffices, smallOffice, userOf, usersPerOffice } from '../seeding/offices.js'
import { bearer } from './requests.js'

const count = 500
const changesPerSecond = 100
/** Time in which the last changes must arrive. */
const graceMs = 10_000

export const streams: Experiment = {
  name: 'streams',
  what: `${count} live streams, ${changesPerSecond} changes a second`,

  async measure(distributed, settings) {
    return [
      { what: 'memory of a stream', value: await memoryOfStream(distributed), unit: 'KiB', atMost: 60 },
      ...(await delays(distributed, settings, 'one office', [smallOffice])),
      ...(await delays(distributed, settings, '100 offices', publishingOffices)),
    ]
  },
}

const open = (distributed: DistributedPlatform, offices: readonly number[]) =>
  openStreams(
    distributed.url,
    Array.from({ length: count }, (_, index) => {
      const customerId = offices[index % offices.length] as number
      return { customerId, token: distributed.tokenFor(userOf(customerId, 1 + (index % usersPerOffice))) }
    }),
  )

/** Measured in fresh processes, because memory that was freed earlier would be reused. */
async function memoryOfStream(distributed: DistributedPlatform): Promise<number> {
  const names = [`${registry.casesAndCounters.name}-1`, 'gateway-1']
  for (const name of names) await distributed.renew(name)
  const headers = bearer(distributed.tokenFor(userOf(smallOffice)))
  await pace(100, 5, async () => void (await (await fetch(`${distributed.url}/rest/tag`, { headers })).text()))
  const pids = names.map(distributed.pidOf)
  const without = await settledKib(pids)
  const streams = await open(distributed, publishingOffices)
  const withStreams = await settledKib(pids)
  streams.close()
  return (withStreams - without) / count
}

async function delays(
  distributed: DistributedPlatform,
  { rounds, seconds }: Settings,
  whose: string,
  offices: readonly number[],
): Promise<Figure[]> {
  const write = await writer(distributed, offices)
  const streams = await open(distributed, offices)
  const changes: Change[] = []
  await pace(changesPerSecond, rounds * seconds, async (number) => void changes.push(await write(number)))
  await pause(graceMs)
  const { worstP99Ms, missing } = await streams.report(changes)
  streams.close()
  return [
    { what: `${whose}: p99 from sending a change to the slowest stream`, value: worstP99Ms, unit: 'ms', atMost: 1_000 },
    { what: `${whose}: changes that a stream did not show`, value: missing, unit: '', atMost: 0 },
  ]
}

/** Changes one case after the other, of each office in turn. */
async function writer(distributed: DistributedPlatform, offices: readonly number[]) {
  const cases = await distributed.databases.cases.rows<{ id: string }>(
    `SELECT id FROM issues WHERE customer_id = ANY($1) AND status = 'open' ORDER BY number, customer_id LIMIT 1000`,
    [offices],
  )
  const headers = offices.map((office) => ({ 'content-type': 'application/json', ...bearer(distributed.tokenFor(userOf(office))) }))
  return async (number: number): Promise<Change> => {
    const at = performance.timeOrigin + performance.now()
    const place = number % cases.length
    const body = JSON.stringify({ Issue: { subject: `change ${number};` } })
    const answer = await fetch(`${distributed.url}/rest/issue/${cases[place]?.id}`, {
      method: 'PUT',
      body,
      headers: headers[place % offices.length],
    })
    if (answer.status !== 200) throw new Error(`A change was answered with ${answer.status}: ${await answer.text()}`)
    await answer.text()
    return { number, customerId: offices[place % offices.length] as number, at }
  }
}
