import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@caseway/testing'
import { expect, it } from '@jest/globals'
import { startCases } from './support/cases.js'

/** How long the transport takes to let the consumers take part; enough for a snapshot that does not wait for them. */
const slowMs = 500

it('copies are filled only once their events are subscribed to: nothing falls in between', async () => {
  let asked: number | undefined
  const cases = await startCases({
    prepare: (auth, transport) => {
      const { subscribe } = transport
      transport.subscribe = async (subscription) => {
        if (!subscription.broadcast) await pause(slowMs)
        const running = await subscribe(subscription)
        if (!subscription.broadcast) asked = auth.snapshots
        return running
      }
    },
  })
  try {
    await eventually(() => expect(cases.auth.snapshots).toBeGreaterThan(0))
    expect(asked).toBe(0)
  } finally {
    await cases.stop()
  }
})
