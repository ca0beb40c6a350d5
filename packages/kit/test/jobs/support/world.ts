import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { platform, type Scope } from '../../../src/database/index.js'
import type { Running } from '../../../src/events/index.js'
import {
  type EnqueueOptions,
  enqueue,
  type Job,
  type JobHandler,
  type JobsOptions,
  readJobStates,
  startJobs,
} from '../../../src/jobs/index.js'
import { createMetrics, type Metrics } from '../../../src/observability/index.js'
import { log, type Notes, notesDatabase } from '../../support/notes.js'
import type { PrismaClient } from '../../support/src/generated/client.js'
import type { Phase, Steps } from './steps.js'

const script = fileURLToPath(new URL('./steps.ts', import.meta.url))

export interface Worker extends Running {
  readonly metrics: Metrics
}

/** A database with jobs, and the workers of one test. */
export async function jobsWorld() {
  const notes: Notes = await notesDatabase()
  /** Its own pool and contexts, so that its transactions do not join those of `notes.db`. */
  const db = notes.open()
  const workers: Worker[] = []
  const children: ChildProcess[] = []
  await notes.rows('CREATE TABLE effects (what text)')
  await notes.rows('GRANT ALL ON effects TO PUBLIC')

  return {
    notes,

    async add<T>(job: Job<T>, payload: T, options?: EnqueueOptions, scope: Scope = platform) {
      await db.write(scope, (tx) => enqueue(tx, job, payload, options))
    },

    /** Starts a worker with a pool of its own, like another copy of the service. */
    work(handlers: JobHandler<PrismaClient> | JobHandler<PrismaClient>[], options: Partial<JobsOptions<PrismaClient>> = {}): Worker {
      const metrics = createMetrics('kit-test')
      const started = startJobs({ db: notes.open(), handlers: [handlers].flat(), log, metrics, pollMs: 50, graceMs: 1000, ...options })
      const worker = {
        metrics,
        stop: async () => {
          workers.splice(workers.indexOf(worker), 1)
          await started.stop()
        },
      }
      workers.push(worker)
      return worker
    },

    states: () => readJobStates(db),

    async state(name: string) {
      const states = await readJobStates(db)
      return Object.fromEntries(states.filter(({ job }) => job === name).map(({ state, count }) => [state, count]))
    },

    effects: async () => (await notes.rows<{ what: string }>('SELECT what FROM effects')).map(({ what }) => what),

    /** Starts a worker in a child process that waits at a phase. */
    child(phase: Phase, settings: Steps, skewMs = 0) {
      const args = [script, notes.url, phase, JSON.stringify(settings), String(skewMs)]
      const process = spawn(globalThis.process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
      children.push(process)
      const printed: string[] = []
      createInterface({ input: process.stdout }).on('line', (line) => printed.push(line))
      return {
        printed,
        signal: (signal: NodeJS.Signals) => process.kill(signal),
        goOn: () => process.stdin.write('\n'),
      }
    },

    async stop() {
      for (const child of children) child.kill('SIGKILL')
      await Promise.all([...workers].map((worker) => worker.stop()))
      await notes.stop()
    },
  }
}

export type World = Awaited<ReturnType<typeof jobsWorld>>

/** A promise that the test resolves. */
export const gate = () => Promise.withResolvers<void>()
