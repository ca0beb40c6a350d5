import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runningServer } from '@caseway/install/postgres/cluster.mjs'
import { createDatabase, type Database, office, type TransactionOf } from '@caseway/kit/database'
import { defineJob, enqueue, handleJob, startJobs } from '@caseway/kit/jobs'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { cpuSecondsOf } from '../measuring/cpu.js'
import { pace } from '../measuring/pace.js'
import { median, quantile } from '../measuring/statistics.js'
import { openDatabases } from '../platform/databases.js'
import { launch, readHome, temporaryHome } from '../platform/launcher.js'
import type { Figure, Standalone } from '../scenario.js'

const offices = 100
const jobsPerOffice = 100
const slots = 64
const perSecond = 50
const idleMs = 20_000

const log = createLog({ service: 'bench', level: 'silent' })
const metrics = createMetrics('bench')

/** The queue does not use Prisma. */
class NoModels {
  async $connect() {}
  async $disconnect() {}
}
type Db = Database<NoModels>

const job = defineJob<number>({ name: 'bench' })

/** Measures the kit's queue in the database of auth, within the process of the benchmark. */
export const jobs: Standalone = {
  name: 'jobs',
  what: `Jobs that do nothing, with one worker of ${slots} slots`,

  async measureAlone({ rounds, seconds }) {
    const home = temporaryHome()
    const { stop } = await launch('start', home)
    const { auth, cases } = openDatabases(home, readHome(home, 'secrets.json').postgres)
    const db = createDatabase({ url: `${auth.url}?application_name=bench`, client: NoModels, log, metrics })
    const cpuSeconds = cpuWith(runningServer(join(home, 'postgres'))?.pid)
    try {
      return [...(await throughput(db, rounds, cpuSeconds)), await delay(db, rounds * seconds), await idle(db, cpuSeconds)]
    } finally {
      await db.close()
      await Promise.all([auth.close(), cases.close()])
      await stop()
    }
  },
}

/** CPU seconds of this process and of PostgreSQL. */
const cpuWith =
  (postgres = 0) =>
  () =>
    Object.values(cpuSecondsOf({ bench: process.pid, postgres })).reduce((sum, one) => sum + one, 0)

const work = (db: Db, begin: (nth: number) => void) =>
  startJobs({ db, handlers: [handleJob(job, async ({ payload }) => begin(payload), { concurrency: slots })], log, metrics })

const add = (tx: TransactionOf<NoModels>, nth: number) => enqueue(tx as unknown as Parameters<typeof enqueue>[0], job, nth)

/** Measures from the first claim until all jobs are done. */
async function throughput(db: Db, rounds: number, cpuSeconds: () => number): Promise<Figure[]> {
  const rates: number[] = []
  const costs: number[] = []
  const count = offices * jobsPerOffice
  for (let round = 0; round < rounds; round++) {
    for (let id = 1n; id <= offices; id++) {
      await db.write(office(id), async (tx) => void (await Promise.all(Array.from({ length: jobsPerOffice }, (_, nth) => add(tx, nth)))))
    }
    const done = Promise.withResolvers<void>()
    let begun = 0
    const startedAt = performance.now()
    const before = cpuSeconds()
    const worker = work(db, () => void (++begun === count && done.resolve()))
    await done.promise
    rates.push(count / ((performance.now() - startedAt) / 1000))
    await worker.stop()
    costs.push(cpuSeconds() - before)
  }
  const what = '10,000 jobs of 100 offices'
  return [
    { what, value: median(rates), unit: 'jobs/s', atLeast: 1000 },
    { what: `${what}, process and PostgreSQL`, value: median(costs), unit: 'CPU s' },
  ]
}

async function delay(db: Db, seconds: number): Promise<Figure> {
  const committedAt: number[] = []
  const begunAt: number[] = []
  const worker = work(db, (nth) => {
    begunAt[nth] = performance.now()
  })
  await pace(perSecond, seconds, async (nth) => {
    await db.write(office(BigInt(nth % offices) + 1n), (tx) => add(tx, nth))
    committedAt[nth] = performance.now()
  })
  await worker.stop()
  const delays = committedAt.map((at, nth) => Math.max(0, (begunAt[nth] ?? Number.POSITIVE_INFINITY) - at))
  return { what: `p99 from commit to begin, at ${perSecond} jobs a second`, value: quantile(delays, 0.99), unit: 'ms', atMost: 50 }
}

/** The CPU share of a worker without jobs, in this process and PostgreSQL. */
async function idle(db: Db, cpuSeconds: () => number): Promise<Figure> {
  const share = async () => {
    const before = cpuSeconds()
    await pause(idleMs)
    return ((cpuSeconds() - before) / (idleMs / 1000)) * 100
  }
  const without = await share()
  const worker = work(db, () => undefined)
  const value = (await share()) - without
  await worker.stop()
  return { what: 'a worker without jobs, process and PostgreSQL', value, unit: '% of a core', atMost: 0.5 }
}
