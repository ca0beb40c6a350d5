import { setTimeout as pause } from 'node:timers/promises'
import type { Contestant, Request } from '../contestant.js'
import type { Processes } from '../measuring/cpu.js'
import { type Databases, openDatabases } from './databases.js'
import { launch, readHome, temporaryHome } from './launcher.js'
import { type Program, startProgram } from './program.js'
import { tokenSigner } from './tokens.js'

/** The distributed platform and the peers with which it is compared. */
export type DistributedPlatform = Awaited<ReturnType<typeof startDistributed>>

/** @param variables of the environment, in addition to those that all benchmarks use */
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
    /** The accounts of the demo, with their passwords. */
    demo,
    processes,
    pidOf,
    databases,
    tokenFor: await tokenSigner(databases, secrets.authSecret),

    /** The platform as a contestant, through its gateway. */
    platform: (requests: readonly Request[], freshIds = false): Contestant => ({ url, requests, freshIds, processes }),

    /** A peer as a contestant, with the same requests. */
    peer: ({ name, url, pid }: Program, requests: readonly Request[]): Contestant => ({
      ...{ url, requests, processes: () => ({ [name]: pid, postgres: pidOf('postgres') }) },
    }),

    /** Starts a program that runs until everything ends. */
    async start(...what: Parameters<typeof startProgram>): Promise<Program> {
      const program = await startProgram(...what)
      programs.push(program)
      return program
    },

    /** Ends a process of the platform, and resolves when it was restarted. */
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
