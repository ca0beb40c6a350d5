import { setTimeout as pause } from 'node:timers/promises'
import { ownCpuSecondsOf } from '../measuring/cpu.js'
import { residentKib } from '../measuring/memory.js'
import { median } from '../measuring/statistics.js'
import { launch, readHome, temporaryHome } from '../platform/launcher.js'
import type { Standalone } from '../scenario.js'

const idleMs = 10_000

/** Runs everything in one process, like `npm start`. */
export const together: Standalone = {
  name: 'start',
  what: '`npm start`, installed and with a database',

  async measureAlone({ rounds }) {
    const home = temporaryHome()
    const starts: number[] = []
    const sizes: number[] = []
    const shares: number[] = []
    const first = await launch('start', home)
    await first.stop()
    for (let round = 0; round < rounds; round++) {
      const { readyMs, stop } = await launch('start', home)
      await pause(idleMs)
      starts.push(readyMs / 1000)
      const { pid } = readHome(home, 'lock.json')
      sizes.push(residentKib(pid) / 1024)
      shares.push(await ownCpuShare(pid))
      await stop()
    }
    return [
      { what: 'from the command to ready', value: median(starts), unit: 's', atMost: 5 },
      { what: `resident memory after ${idleMs / 1000} idle seconds, PostgreSQL aside`, value: median(sizes), unit: 'MiB', atMost: 250 },
      { what: 'CPU in the 10 seconds after that, PostgreSQL aside', value: 100 * median(shares), unit: '% of a core', atMost: 0.7 },
    ]
  },
}

/** The CPU share of an idle process, without its children. */
async function ownCpuShare(pid: number): Promise<number> {
  const before = ownCpuSecondsOf(pid)
  await pause(idleMs)
  return (ownCpuSecondsOf(pid) - before) / (idleMs / 1000)
}
