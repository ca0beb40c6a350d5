import { rmSync } from 'node:fs'
import type { Logger } from '@caseway/kit/observability'
import { writePrivately } from '../home.js'
import type { Program } from './supervisor.js'
import { type Supervised, supervise } from './supervisor.js'

interface ProcessesOptions {
  log: Logger
  /** The file that lists the ids of all processes. */
  file: string
  /** The ids of the servers, by their names. */
  serverPids(): Readonly<Record<string, number | undefined>>
}

/** The processes of services and gateways. */
export function createProcesses({ log, file, serverPids }: ProcessesOptions) {
  const running = new Map<string, Supervised>()

  function writePids(): void {
    const pids = [...running].map(([name, supervised]) => [name, supervised.pid()] as const)
    const all = [...pids, ...Object.entries(serverPids())]
    writePrivately(file, Object.fromEntries(all.filter(([, pid]) => pid !== undefined)))
  }

  return {
    writePids,

    /** Removes the list, whose ids may since belong to other processes. */
    removeList: () => rmSync(file, { force: true }),

    /** Starts the programs of one stage together, and one stage after another. */
    async start(stages: readonly Program[][]): Promise<void> {
      for (const stage of stages) {
        const started = stage.map(async (program) => {
          running.set(program.name, await supervise(program, { log, onChange: writePids }))
        })
        await Promise.all(started)
      }
      writePids()
    },

    /** Stops the gateways first, so that no request reaches a stopped service. */
    async stop(): Promise<void> {
      const [gateways, services] = [[...running].filter(isGateway), [...running].filter((entry) => !isGateway(entry))]
      for (const some of [gateways, services]) await Promise.all(some.map(([, supervised]) => supervised.stop()))
    },
  }
}

const isGateway = ([name]: [string, Supervised]) => name.startsWith('gateway-')
