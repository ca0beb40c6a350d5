import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { runningServer } from '@caseway/install/postgres/cluster.mjs'
import { isAlive } from '@caseway/install/postgres/leftover.mjs'
import { eventually } from '@caseway/testing'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'

export const repository = fileURLToPath(new URL('../..', import.meta.url))

/** How the platform runs: in one process, or each service in processes of its own, over Kafka. */
export type Way = 'single-process' | 'distributed'

export interface Ended {
  code: number | null
  output: string
}

const mainOf = (project: string, way: Way) =>
  pathToFileURL(join(project, 'deploy/local/dist', way === 'distributed' ? 'distributed' : '', 'main.js')).href

/** A launcher in a process of its own, like `npm start` after the build. */
export interface Launcher {
  process: ChildProcess
  output(): string
  ended: Promise<Ended>
  /** Resolves when the platform is ready; rejects with the output if the launcher ends before. */
  ready(): Promise<Demo>
  /** Sends SIGKILL, so that nothing is cleaned up. */
  kill(): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Creates a data folder and a function that removes it. */
export function temporaryHome() {
  const home = mkdtempSync(join(tmpdir(), 'caseway-home-'))
  return { home, remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }) }
}

export const demoOf = (home: string): Demo => JSON.parse(readFileSync(join(home, 'demo.json'), 'utf8'))

/** The pid of the PostgreSQL with its data in `home`. */
export const postgresOf = (home: string) => runningServer(join(home, 'postgres'))?.pid

/** @param project folder of the platform: this project, or a copy of it */
export function launch(home: string, env: Record<string, string> = {}, way: Way = 'single-process', project = repository): Launcher {
  const freePorts = { HTTP_PORT: '0', CLIENT_HTTP_PORT: '0', METRICS_PORT: '0' }
  // `--input-type` is avoided, because worker threads inherit it, and fail with it when they load a file.
  const child = spawn(process.execPath, ['--eval', `import('${mainOf(project, way)}').then(({ main }) => main())`], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, CASEWAY_HOME: home, ...freePorts, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'close').then(([code]) => ({ code, output }))

  return {
    process: child,
    output: () => output,
    ended,
    async ready() {
      const endedEarly = ended.then(() => {
        throw new Error(`The launcher ended: ${output}`)
      })
      const isReady = eventually(
        () => {
          if (!output.includes('Caseway is ready')) throw new Error(`The launcher is not ready: ${output}`)
        },
        { timeoutMs: way === 'distributed' ? 180_000 : 55_000 },
      )
      await Promise.race([isReady, endedEarly])
      return demoOf(home)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** Kills the launcher and all processes that it has started. */
export async function killAll(launcher: Launcher, home: string): Promise<void> {
  const postgres = postgresOf(home)
  await launcher.kill()
  if (postgres !== undefined && isAlive(postgres)) process.kill(postgres, 'SIGKILL')
}
