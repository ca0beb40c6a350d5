import { of } from './of.mjs'

const enqueue = 'packages/kit/test/jobs/enqueue.test.ts'
const claims = 'packages/kit/test/jobs/claims.test.ts'
const failures = 'packages/kit/test/jobs/failures.test.ts'
const fences = 'packages/kit/test/jobs/fences.test.ts'
const wakeUps = 'packages/kit/test/jobs/wake-ups.test.ts'
const leases = 'packages/kit/test/jobs/leases.test.ts'

/** Work in the background. */
export default [
  ...of('packages/kit/src/jobs/enqueue.ts', enqueue, [
    ['  tx.$notify(jobChannel, job.name)\n', '', 'without a poll'],
    ['run_at = least(job.run_at, excluded.run_at)', 'run_at = job.run_at', 'a job begins at the earlier of two future times'],
    [
      `DO UPDATE SET
      due = least(job.due, excluded.due), run_at = least(job.run_at, excluded.run_at), priority = greatest(job.priority, excluded.priority),
      state = CASE WHEN job.state = 'waiting' THEN excluded.state ELSE job.state END`,
      'DO NOTHING',
      'a job does not begin before a transaction that enqueues it again has ended',
    ],
  ]),
  ...of('packages/kit/src/jobs/job-rows.ts', fences, [
    ['const proof = "id = $1 AND fence = $2 AND state = \'running\'"', 'const proof = "id = $1 AND fence >= $2"', 'cannot write'],
    [
      "'cursor' in change ? 'cursor = $3::jsonb' : 'irreversible = $3'",
      "'cursor' in change ? 'cursor = $3::jsonb' : 'irreversible = irreversible AND $3'",
      'past the point of no return is uncertain',
    ],
    [
      'SET lease_until = now() + claim.lease * interval',
      'SET lease_until = lease_until + 0 * claim.lease * interval',
      'a lease is renewed until the work ends',
      leases,
    ],
    ['      AND id = (\n', '      AND id >= (\n', 'do not run before an earlier one that another claim has locked', claims],
    ['dedupe = NULL, error = NULL', 'error = NULL', 'a job that has begun does not replace one that is enqueued later', enqueue],
    ['share > $3 AND share', 'share > $3 AND true OR share', 'an office with many jobs', claims],
    ['if (held && afterMs === null) await release(name, key)', '', 'wait for an earlier one that is retried', claims],
    [
      "AND state IN ('ready', 'held') ORDER BY priority DESC, due, id LIMIT 1",
      "AND state IN ('ready', 'held') ORDER BY id DESC LIMIT 1",
      'run one at a time and in order',
      claims,
    ],
  ]),
  ...of('packages/kit/src/jobs/job-rows.ts', wakeUps, [
    [' || found.some(({ last }) => last)', '', 'only a part'],
    ['return next.length > 0', 'return false', 'the next job of a key'],
    ["state IN ('ready', 'held') ORDER BY priority", "state = 'held' ORDER BY priority", 'has left it ready'],
  ]),
  ...of('packages/kit/src/jobs/worker.ts', wakeUps, [
    ['another || blocked.has(name)', 'another', 'no slot'],
    ['      if (!left) blocked.delete(name)\n', '', 'looks for no other one'],
    [
      `      awake.delete(name)
      const claimedAt = performance.now()
      const claimed = await rows.claim(query)
`,
      `      const claimedAt = performance.now()
      const claimed = await rows.claim(query)
      awake.delete(name)
`,
      'enqueued during a claim',
    ],
  ]),
  ...of('packages/kit/src/jobs/execute.ts', wakeUps, [
    ["run.outcome !== 'finished' || run.released", 'run.released', 'the next job of a key'],
  ]),
  ...of('packages/kit/src/jobs/run.ts', fences, [['if (!(await proof())) throw new LeaseLost()', 'await proof()', 'cannot write']]),
  ...of('packages/kit/src/jobs/job.ts', failures, [
    ['counted: false }', 'counted: true }', 'a temporary error is retried without limit and does not count as a try'],
    [
      "if (irreversible && onLost === 'uncertain') return { state: 'uncertain' }\n  if (isTemporary",
      'if (isTemporary',
      'the job is uncertain when its work throws any error',
    ],
  ]),
  ...of('packages/kit/src/jobs/leases.ts', leases, [
    ['    void renew()\n', '', 'a lease is renewed until the work ends'],
    ['      leases.get(claim.id)?.lost.abort(new LeaseLost())\n', '', 'has its signal aborted', fences],
  ]),
  ...of('packages/kit/src/jobs/round-robin.ts', claims, [
    [
      'const maxOfShare = Math.ceil(concurrency / 2)',
      'const maxOfShare = concurrency',
      'an office whose jobs do not end occupies at most half of the slots',
    ],
    ['after = last === undefined || attempted < limit ? first : last', 'after = first', 'an office with many jobs'],
  ]),
  ...of('packages/kit/src/jobs/ticks.ts', failures, [
    ['AND (rule <> $2 OR next <= now()) FOR UPDATE SKIP LOCKED', 'AND (rule <> $2 OR next <= now())', 'once over all copies'],
  ]),
]
