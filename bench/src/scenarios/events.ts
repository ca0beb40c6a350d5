import { setTimeout as pause } from 'node:timers/promises'
import { pace } from '../measuring/pace.js'
import { median, quantile } from '../measuring/statistics.js'
import type { DistributedPlatform } from '../platform/distributed.js'
import type { Experiment, Figure, Settings } from '../scenario.js'
import { userChanges } from '../seeding/user-changes.js'

const perSecond = 500
/** Long, because the code of broker, relay and consumers is compiled several times. */
const warmUpSeconds = 15
const backlog = 20_000
const lookEveryMs = 20
const timeoutMs = 120_000

/** Measures events of users: published by auth, over Kafka, until the copies of people are updated. */
export const events: Experiment = {
  name: 'events',
  what: 'Events of auth over Kafka, into the copies of people',

  async measure(distributed, settings) {
    const changes = userChanges(distributed.databases.auth)
    return [await delay(distributed, changes, settings), ...(await throughput(distributed, changes, settings))]
  },
}

type Changes = ReturnType<typeof userChanges>

async function delay(distributed: DistributedPlatform, changes: Changes, { rounds, seconds }: Settings): Promise<Figure> {
  const copies = distributed.databases.cases
  // The notification is sent with the commit of the copy, so that no polling is needed.
  await copies.run(`
    CREATE OR REPLACE FUNCTION bench_copied() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_notify('bench_copied', NEW.id || ' ' || NEW.revision); RETURN NULL; END $$;
    CREATE TRIGGER bench_copied AFTER INSERT OR UPDATE ON users FOR EACH ROW EXECUTE FUNCTION bench_copied()`)
  const copiedAt = new Map<string, number>()
  // Of several states that are handled together the copy stores only the newest.
  const newest = new Map<string, bigint>()
  await copies.listen('bench_copied', (what) => {
    const [id = '', text = ''] = what.split(' ')
    const revision = BigInt(text)
    for (let seen = (newest.get(id) ?? revision - 1n) + 1n; seen <= revision; seen++) copiedAt.set(`${id} ${seen}`, performance.now())
    newest.set(id, revision)
  })
  const committedFor = async (seconds: number) => {
    const committedAt = new Map<string, number>()
    await pace(perSecond, seconds, async () => {
      const { userId, revision } = await changes.one()
      committedAt.set(`${userId} ${revision}`, performance.now())
    })
    await until(async () => [...committedAt.keys()].every((what) => copiedAt.has(what)))
    return committedAt
  }
  await committedFor(warmUpSeconds)
  const committedAt = await committedFor(rounds * seconds)
  await copies.run('DROP TRIGGER bench_copied ON users')
  const delays = [...committedAt].map(([what, at]) => Math.max(0, (copiedAt.get(what) ?? Infinity) - at))
  return { what: `p99 from commit to the copy, at ${perSecond} events a second`, value: quantile(delays, 0.99), unit: 'ms', atMost: 150 }
}

async function throughput(distributed: DistributedPlatform, changes: Changes, { rounds }: Settings): Promise<Figure[]> {
  const { auth, cases } = distributed.databases
  const published: number[] = []
  const copied: number[] = []
  for (let round = 0; round < rounds; round++) {
    const revision = await changes.many(backlog)
    const startedAt = performance.now()
    const perSecondSince = () => backlog / ((performance.now() - startedAt) / 1000)
    await until(async () => (await auth.rows('SELECT FROM kit.outbox WHERE published_at IS NULL LIMIT 1')).length === 0)
    published.push(perSecondSince())
    await until(
      async () =>
        (await cases.rows('SELECT FROM users WHERE id = ANY($1) AND revision < $2 LIMIT 1', [changes.ids, revision])).length === 0,
    )
    copied.push(perSecondSince())
  }
  return [
    { what: `relay, a backlog of ${backlog.toLocaleString('en')} events`, value: median(published), unit: 'events/s', atLeast: 3_000 },
    { what: 'the same, until the copy has them', value: median(copied), unit: 'events/s' },
  ]
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`This has not come about within ${timeoutMs / 1000} s.`)
    await pause(lookEveryMs)
  }
}
