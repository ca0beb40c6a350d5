import { setTimeout as pause } from 'node:timers/promises'
import { cpuSecondsOf } from '../measuring/cpu.js'
import { proportionalKib, residentKib } from '../measuring/memory.js'
import { type DistributedPlatform, startDistributed } from '../platform/distributed.js'
import type { Figure, Standalone } from '../scenario.js'

const settleMs = 15_000
const idleMs = 30_000

/** Third-party servers, which are shown without an aim. */
const servers = new Set(['kafka', 'postgres'])

/** Runs on a platform of its own, because with a million cases the check of the counters would never be idle. */
export const idle: Standalone = {
  name: 'idle',
  what: 'The distributed platform without requests, connected to Kafka',

  async measureAlone() {
    const distributed = await startDistributed()
    return measureIdle(distributed).finally(() => distributed.stop())
  },
}

async function measureIdle(distributed: DistributedPlatform): Promise<Figure[]> {
  await useOnce(distributed)
  await pause(settleMs)
  const processes = distributed.processes()
  const before = cpuSecondsOf(processes)
  await pause(idleMs)
  const after = cpuSecondsOf(processes)
  const share = (name: string) => ((after[name] ?? 0) - (before[name] ?? 0)) / (idleMs / 1000)
  return Object.entries(processes).flatMap(([name, pid]): Figure[] => {
    const cpu = { what: `${name}: CPU`, value: share(name) * 100, unit: '% of a core' }
    if (servers.has(name)) return [cpu, { what: `${name}: memory, shared pages in part`, value: proportionalKib(pid) / 1024, unit: 'MiB' }]
    return [
      { ...cpu, atMost: 0.7 },
      { what: `${name}: resident memory`, value: residentKib(pid) / 1024, unit: 'MiB', atMost: 120 },
    ]
  })
}

/** Loads what is loaded only on first use, such as password hashing. */
async function useOnce({ url, demo }: DistributedPlatform): Promise<void> {
  const { username, password } = demo.offices[0]?.accounts.expert ?? {}
  const signIn = await ask(`${url}/rest/token`, {}, { grant_type: 'password', client_id: demo.client_id, username, password })
  await ask(`${url}/rest/counter`, { authorization: `Bearer ${signIn.access_token}` })
}

async function ask(url: string, headers: Record<string, string>, body?: object): Promise<{ access_token?: string }> {
  const posted = body && { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(url, { headers: { 'content-type': 'application/json', ...headers }, ...posted })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`)
  return (await answer.json()) as { access_token?: string }
}
