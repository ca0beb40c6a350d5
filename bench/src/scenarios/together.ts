import { setTimeout as pause } from 'node:timers/promises'
import { residentKib } from '../measuring/memory.js'
import { median } from '../measuring/statistics.js'
import { launch, readHome, temporaryHome } from '../platform/launcher.js'
import type { Standalone } from '../scenario.js'

const idleMs = 10_000

/** Everything in one process, as `npm start` runs it. */
export const together: Standalone = {
  name: 'start',
  what: '`npm start`, installed and with a database',

  async measureAlone({ rounds }) {
    const home = temporaryHome()
    const starts: number[] = []
    const sizes: number[] = []
    const first = await launch('start', home)
    await first.stop()
    for (let round = 0; round < rounds; round++) {
      const { readyMs, stop } = await launch('start', home)
      await pause(idleMs)
      starts.push(readyMs / 1000)
      sizes.push(residentKib(readHome(home, 'lock.json').pid) / 1024)
      await stop()
    }
    return [
      { what: 'from the command to ready', value: median(starts), unit: 's', atMost: 5 },
      { what: `resident memory after ${idleMs / 1000} idle seconds, PostgreSQL aside`, value: median(sizes), unit: 'MiB', atMost: 250 },
    ]
  },
}
