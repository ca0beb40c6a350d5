import { setTimeout as pause } from 'node:timers/promises'
import type { Contestant, Request } from '../contestant.js'
import type { Processes } from '../measuring/cpu.js'
import { type Databases, openDatabases } from './databases.js'
import { launch, readHome, temporaryHome } from './launcher.js'
import { type Program, startProgram } from './program.js'
import { tokenSigner } from './tokens.js'

/** The platform as it is deployed, each service in a process of its own, and what stands beside it to be compared. */
export type DistributedPlatform = Awaited<ReturnType<typeof startDistributed>>

/** @param variables of the environment, beside those of every platform of the benchmarks */
export async function startDistributed(variables: Readonly<Record<string, string>> = {}) {
  const home = temporaryHome()
  const { stop } = await launch('start:distributed', home, variables)
  const secrets = readHome(home, 'secrets.json')
  const databases: Databases = openDatabases(home, secrets.postgres)
  const programs: Program[] = []
  const processes = (): Processes => readHome(home, 'processes.json')
  const pidOf = (name: string): number => {
    const pid = processes()[name]
    if (pid === undefined) throw new Error(`There is no process ${name}.`)
    return pid
  }
  const demo = readHome(home, 'demo.json')
  const url: string = demo.base_url

  return {
    url,
    /** The people of the demo, with their passwords. */
    demo,
    processes,
    pidOf,
    databases,
    tokenFor: await tokenSigner(databases, secrets.authSecret),

    /** The platform, asked through its gateway. */
    platform: (requests: readonly Request[], freshIds = false): Contestant => ({ url, requests, freshIds, processes }),

    /** A peer, asked for the same. */
    peer: ({ name, url, pid }: Program, requests: readonly Request[]): Contestant => ({
      ...{ url, requests, processes: () => ({ [name]: pid, postgres: pidOf('postgres') }) },
    }),

    /** Runs beside the platform until everything ends. */
    async start(...what: Parameters<typeof startProgram>): Promise<Program> {
      const program = await startProgram(...what)
      programs.push(program)
      return program
    },

    /** Ends a process of the platform and waits for the one that takes its place. */
    async renew(name: string): Promise<void> {
      const pid = pidOf(name)
      process.kill(pid, 'SIGTERM')
      while ((processes()[name] ?? pid) === pid) await pause(100)
    },

    async stop(): Promise<void> {
      for (const program of programs) program.stop()
      await Promise.all(Object.values(databases).map((database) => database.close()))
      await stop()
    },
  }
}
