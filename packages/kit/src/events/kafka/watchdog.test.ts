import { eventually } from '@caseway/testing'
import { afterEach, describe, expect, it } from '@jest/globals'
import { watchdog } from './watchdog.js'

const world = { silent: false, answers: true, looks: 0 }
const dog = watchdog({
  silent: () => world.silent,
  answers: async () => {
    world.looks += 1
    return world.answers
  },
  lookEveryMs: 5,
})
afterEach(() => dog.stop())

/** Whether the watchdog is healthy after two more checks in this state. */
async function after(silent: boolean, answers: boolean): Promise<boolean> {
  Object.assign(world, { silent, answers })
  const { looks } = world
  if (silent) await eventually(() => expect(world.looks).toBeGreaterThan(looks + 1), { everyMs: 5 })
  else await eventually(() => expect(dog.healthy()).toBe(true), { everyMs: 5 })
  return dog.healthy()
}

describe('the watchdog of a consumer', () => {
  it('is unhealthy only when the consumer is silent while the broker answers', async () => {
    expect(await after(false, true)).toBe(true)
    expect(await after(true, false)).toBe(true)
    expect(await after(true, true)).toBe(false)
    expect(await after(true, false)).toBe(true)
    expect(await after(true, true)).toBe(false)
    expect(await after(false, true)).toBe(true)
  })
})
