import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { allocatorVariables } from '@caseway/install/allocator.mjs'
import type { Logger } from '@caseway/kit/observability'
import { callerLimitsOf } from '../caller-limits.js'

export interface Program {
  /** As it stands in processes.json: `auth-1`. */
  name: string
  /** The script that Node runs. It says `ready` to its parent. */
  script: string
  env: Record<string, string>
  logFile: string
}

/** A program that is started anew whenever it ends. */
export interface Supervised {
  /** Of the process that runs now. */
  pid(): number | undefined
  stop(): Promise<void>
}

interface SupervisorOptions {
  log: Logger
  /** A process has begun or ended. */
  onChange(): void
}

const readyTimeoutMs = 20_000
const stopTimeoutMs = 10_000
/** A program that cannot run does not take the machine for itself. */
const pauseMs = 250

/** Resolves when the program is ready; rejects when it ends before. */
export async function supervise(program: Program, { log, onChange }: SupervisorOptions): Promise<Supervised> {
  let stopping = false
  let child = start(program)

  const keep = async () => {
    while (!stopping) {
      const [code, signal] = await ended(child)
      if (stopping) return
      log.warn({ program: program.name, code, signal }, 'a process has ended and is started anew')
      await pause(pauseMs)
      if (stopping) return
      child = start(program)
      // One that ends before it is ready is the next round's affair.
      if ((await outcomeOf(child)) === 'ready') onChange()
    }
  }

  await ready(program, child)
  onChange()
  const kept = keep()
  return {
    pid: () => (child.exitCode === null && child.signalCode === null ? child.pid : undefined),
    async stop() {
      stopping = true
      child.kill('SIGTERM')
      const hurry = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await ended(child)
      clearTimeout(hurry)
      await kept
    },
  }
}

/** The variables of OpenTelemetry are passed to every process (OpenTelemetry, Environment Variable Specification). */
const inherited = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => name === 'PATH' || name.startsWith('OTEL_')))

function start({ script, env, logFile }: Program): ChildProcess {
  const log = openSync(logFile, 'a', 0o600)
  return spawn(process.execPath, [script], {
    env: { ...inherited(), ...allocatorVariables(), ...callerLimitsOf(process.env), ...env },
    stdio: ['ignore', log, log, 'ipc'],
    // A Ctrl-C in the terminal is for the one who started them: they stop them in their order.
    detached: true,
  })
}

const ended = (child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve([child.exitCode, child.signalCode])
    : (once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>)

const outcomeOf = (child: ChildProcess): Promise<'ready' | 'ended'> =>
  Promise.race([once(child, 'message').then(() => 'ready' as const), ended(child).then(() => 'ended' as const)])

async function ready({ name, logFile }: Program, child: ChildProcess): Promise<void> {
  const outcome = await Promise.race([outcomeOf(child), pause(readyTimeoutMs, 'late' as const, { ref: false })])
  if (outcome === 'ready') return
  child.kill('SIGKILL')
  throw new Error(`${name} did not start (${outcome}); ${logFile} has more.`)
}
