import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { allocatorVariables } from '@caseway/install/allocator.mjs'
import type { Logger } from '@caseway/kit/observability'

export interface Program {
  /** The name in processes.json, such as `auth-1`. */
  name: string
  /** The script that Node runs. It sends `ready` to its parent when it is. */
  script: string
  env: Record<string, string>
  logFile: string
}

/** A process that is restarted whenever it ends. */
export interface Supervised {
  /** The pid of the current process; undefined between two processes. */
  pid(): number | undefined
  stop(): Promise<void>
}

interface SupervisorOptions {
  log: Logger
  /** Called when a process is ready, or has ended. */
  onChange(): void
}

const readyTimeoutMs = 20_000
const stopTimeoutMs = 10_000
/** Pause before a restart, so that a program that cannot start does not take up the CPU. */
const pauseMs = 250

/** Starts a program. Resolves when it is ready; rejects if it ends before that. */
export async function supervise(program: Program, { log, onChange }: SupervisorOptions): Promise<Supervised> {
  let stopping = false
  let child = start(program)

  const restartWheneverItEnds = async () => {
    while (!stopping) {
      const [code, signal] = await ended(child)
      if (stopping) return
      log.warn({ program: program.name, code, signal }, 'a process has ended and will be restarted')
      await pause(pauseMs)
      if (stopping) return
      child = start(program)
      // If it ends before it is ready, the next iteration restarts it.
      if ((await outcomeOf(child)) === 'ready') onChange()
    }
  }

  await ready(program, child)
  onChange()
  const restarting = restartWheneverItEnds()
  return {
    pid: () => (child.exitCode === null && child.signalCode === null ? child.pid : undefined),
    async stop() {
      stopping = true
      child.kill('SIGTERM')
      const killTimer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await ended(child)
      clearTimeout(killTimer)
      await restarting
    },
  }
}

/** All variables of OpenTelemetry are inherited by every process (OpenTelemetry environment variable specification). */
const inherited = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => name === 'PATH' || name.startsWith('OTEL_')))

function start({ script, env, logFile }: Program): ChildProcess {
  const log = openSync(logFile, 'a', 0o600)
  return spawn(process.execPath, [script], {
    env: { ...inherited(), ...allocatorVariables(), ...env },
    stdio: ['ignore', log, log, 'ipc'],
    // Ctrl-C in a terminal signals the process group; only the launcher may receive it, because it stops its processes in order.
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
  throw new Error(`${name} did not start (${outcome}): see ${logFile}.`)
}
