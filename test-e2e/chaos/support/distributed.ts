import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isAlive } from '@caseway/install/postgres/leftover.mjs'
import { eventually } from '@caseway/testing'
import type { Demo } from '../../../deploy/local/src/demo/demo-file.js'
import { launch, temporaryHome } from '../../support/platform.js'

/** A distributed platform with access to its processes by name. */
export interface DistributedPlatform {
  home: string
  demo: Demo
  names(): string[]
  pidOf(name: string): number
  /** Ends a process, and resolves when it was restarted. */
  replace(name: string, signal: NodeJS.Signals): Promise<void>
  /** Kills a process and its replacements for a period. */
  keepAway(name: string, forMs: number): Promise<void>
  stop(): Promise<void>
}

export async function startDistributed(copies: number, env: Record<string, string> = {}): Promise<DistributedPlatform> {
  const { home, remove } = temporaryHome()
  // One account sends the load of many.
  const noLimits = { GATEWAY_REQUESTS_PER_MINUTE: '1000000', GATEWAY_REQUESTS_AT_ONCE: '10000' }
  const launcher = launch(home, { COPIES: String(copies), LOG_LEVEL: 'warn', ...noLimits, ...env }, 'distributed')
  const demo = await launcher.ready().catch(async (error: unknown) => {
    await launcher.stop()
    throw error
  })
  const path = join(home, 'processes.json')
  const processes = (): Record<string, number> => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})
  const pidOf = (name: string) => {
    const pid = processes()[name]
    if (pid === undefined) throw new Error(`There is no process ${name}.`)
    return pid
  }
  return {
    home,
    demo,
    names: () => Object.keys(processes()),
    pidOf,
    async replace(name, signal) {
      const pid = pidOf(name)
      process.kill(pid, signal)
      await eventually(
        () => {
          const now = processes()[name]
          if (now === undefined || now === pid) throw new Error(`${name} has not come back.`)
        },
        { timeoutMs: 30_000, everyMs: 100 },
      )
    },
    async keepAway(name, forMs) {
      const until = Date.now() + forMs
      for (let killed = 0; Date.now() < until; await pause(50)) {
        const pid = processes()[name]
        if (pid === undefined || pid === killed || !isAlive(pid)) continue
        process.kill(pid, 'SIGKILL')
        killed = pid
      }
    },
    async stop() {
      await launcher.stop()
      const left = existsSync(path)
      remove()
      if (left) throw new Error('The list of the processes has remained.')
    },
  }
}
