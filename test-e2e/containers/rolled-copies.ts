import { setTimeout as pause } from 'node:timers/promises'
import { registry, serviceNames } from '@caseway/registry'
import { describe, expect, it } from '@jest/globals'
import type { StartedTestContainer } from 'testcontainers'
import { requestCountScript, underLoad } from '../support/load.js'
import { signInAs } from '../support/people.js'
import type { Platform } from './platform.js'
import { engineOf } from './service-container.js'

const load = { perSecond: 50, rampMs: 3_000 }
const timeoutMs = 180_000
const workMs = 15_000
const cases = registry.casesAndCounters.name

/**
 * Tests of copies with one network alias: a new copy is healthy before an old one is stopped. The gateway is left out, because its ports on this
 * machine belong to one container.
 */
export function rolledCopies(platform: () => Platform): void {
  const administrators = async () =>
    Promise.all([0, 1].map(async (office) => (await signInAs(platform().demo, 'administrator', office)).api))

  async function stop(container: StartedTestContainer): Promise<void> {
    await (await engineOf(container)).stop({ t: 30 })
    await container.stop()
  }

  const requestsOf = async (container: StartedTestContainer) => Number((await container.exec(['node', '-e', requestCountScript])).output)

  describe('copies behind one name', () => {
    it(
      'are replaced, one service after the other, and no request fails',
      async () => {
        const { services, serve } = platform()
        const replaceAll = async () => {
          for (const name of serviceNames) {
            const old = services[name]
            services[name] = await serve(name)
            await stop(old)
          }
        }
        expect(await underLoad(await administrators(), load, replaceAll)).toEqual([])
      },
      timeoutMs,
    )

    it(
      'are one, three and one again: no request fails, and each of them gets work',
      async () => {
        const { services, serve } = platform()
        const scale = async () => {
          const more = await Promise.all([serve(cases), serve(cases)])
          await pause(workMs)
          for (const copy of [services[cases], ...more]) expect(await requestsOf(copy)).toBeGreaterThan(20)
          for (const copy of more) await stop(copy)
        }
        expect(await underLoad(await administrators(), load, scale)).toEqual([])
      },
      timeoutMs,
    )
  })
}
