import pTimeout from 'p-timeout'
import type { Database } from '../database/index.js'
import { createWakeSignal, type Running } from '../events/index.js'
import type { Logger, Metrics } from '../observability/index.js'
import { jobChannel } from './enqueue.js'
import { execute } from './execute.js'
import type { JobHandler } from './handler.js'
import { type ClaimedJob, jobRows } from './job-rows.js'
import { showJobs } from './job-state.js'
import { keepLeases } from './leases.js'
import { createRoundRobin, type RoundRobin } from './round-robin.js'
import { sweep } from './sweep.js'
import { tick } from './ticks.js'

export interface JobsOptions<Client> {
  db: Database<Client>
  handlers: readonly JobHandler<Client>[]
  log: Logger
  metrics: Metrics
  /**
   * The interval in which the worker polls for jobs that are due, whose lease has expired, or whose notification was lost, in milliseconds. Default 1,000;
   * up to three times as long while no job becomes due and no lease expires.
   */
  pollMs?: number
  /** How long `stop` waits for running jobs before it aborts their signal, in milliseconds. Default 5,000. */
  graceMs?: number
}

/**
 * Starts a worker for the jobs of a service; every copy has one. A job has one run at a time: its claim is a lease, and the writes of a run are fenced (see
 * `Run`). A new job starts when its transaction commits, a delayed one within `pollMs` of its time. All times are those of the database.
 *
 * `stop` makes the worker claim nothing more, and waits for running jobs. After `graceMs` it aborts their signal, and jobs that end because of this are
 * continued by another worker from their last checkpoint.
 */
export function startJobs<Client>(options: JobsOptions<Client>): Running {
  const { db, handlers, log, metrics, pollMs = 1000, graceMs = 5000 } = options
  const rows = jobRows(db)
  const leases = keepLeases(rows, Math.min(...handlers.map(({ job }) => job.leaseMs)), log)
  const stopping = new AbortController()
  const aborting = new AbortController()
  const signal = createWakeSignal()
  const running = new Set<Promise<void>>()
  const queues = new Map(handlers.map((handler) => [handler.job.name, createRoundRobin(handler)]))
  const jobs = new Map(handlers.map(({ job }) => [job.name, job]))
  const names = [...jobs.keys()]
  const schedules = handlers.flatMap(({ schedule }) => schedule ?? [])
  /** The names of the kinds that may have ready jobs. */
  const awake = new Set<string>(names)
  /** The names of the kinds whose last claim may have left ready jobs, or has not ended: they are claimed when a slot becomes free. */
  const blocked = new Set<string>()
  let lookedAt = 0
  let lookAt = 0

  const wake = (name: string) => {
    if (!queues.has(name)) return
    awake.add(name)
    // The job may be a delayed one: the next look learns when it is due.
    lookAt = Math.min(lookAt, lookedAt + pollMs)
    signal.notify()
  }

  const begin = (queue: RoundRobin<Client>, claimed: ClaimedJob, claimedAt: number) => {
    const { handler } = queue
    const { name } = handler.job
    const held = leases.hold(claimed, handler.job.leaseMs, claimedAt)
    const leave = queue.occupy(claimed.share)
    const done = execute({ db, rows, log, metrics }, handler, claimed, { lost: held.lost, stopped: aborting.signal }).then((another) => {
      held.release()
      leave()
      running.delete(done)
      if (another || blocked.has(name)) wake(name)
    })
    running.add(done)
  }

  const claim = async (queue: RoundRobin<Client>) => {
    const { name } = queue.handler.job
    blocked.add(name)
    for (let query = queue.next(); query && !stopping.signal.aborted; query = queue.next()) {
      // Before the claim: a job that is enqueued during it adds the name again.
      awake.delete(name)
      const claimedAt = performance.now()
      const claimed = await rows.claim(query)
      for (const job of claimed.jobs) begin(queue, job, claimedAt)
      const { left, again } = queue.passed(query, claimed)
      if (!left) blocked.delete(name)
      if (!again) return
    }
  }

  const look = async () => {
    lookedAt = performance.now()
    lookAt = lookedAt + 3 * pollMs
    const { due, lapsed, ticks, ready, nextMs } = await rows.look(
      names,
      schedules.map(({ name }) => name),
    )
    lookAt = Math.min(lookAt, lookedAt + Math.max(pollMs, nextMs ?? Number.POSITIVE_INFINITY))
    if (lapsed) await sweep(db, rows, jobs, { log, metrics })
    if (ticks) await tick(db, schedules)
    if (due || lapsed) await rows.promote()
    for (const name of due || lapsed || ticks ? names : ready) awake.add(name)
  }

  const work = async () => {
    while (!stopping.signal.aborted) {
      try {
        if (performance.now() >= lookAt) await look()
        for (const queue of queues.values()) if (awake.has(queue.handler.job.name)) await claim(queue)
      } catch (err) {
        log.warn({ err }, 'jobs could not be claimed')
        lookAt = performance.now() + pollMs
      }
      await signal.wait(Math.max(0, lookAt - performance.now()), stopping.signal)
    }
  }

  const listening = db.listen(jobChannel, { onPayload: wake, onReconnect: () => names.forEach(wake) })
  const gauges = showJobs(db, names, { log, metrics })
  const done = work()

  return {
    async stop() {
      stopping.abort()
      await done
      await (await listening).stop()
      const grace = setTimeout(() => aborting.abort(new Error('The worker was stopped.')), graceMs)
      // Work that ignores its signal is abandoned: its lease expires.
      await pTimeout(Promise.all(running), { milliseconds: 2 * graceMs, message: false })
      clearTimeout(grace)
      leases.stop()
      gauges.stop()
    },
  }
}
