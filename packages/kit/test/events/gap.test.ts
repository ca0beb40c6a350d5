import { type ConsumerOptions, consumer, createDirectTransport, type EventTransport, type Subscription } from '@caseway/kit/events'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { consumersOf } from '../support/consumers.js'
import { type Notes, notesDatabase } from '../support/notes.js'
import { userTopic } from '../support/people.js'

let notes: Notes
const { start } = consumersOf(() => notes)
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())

describe('events that were deleted before they were handled', () => {
  /** Starts a consumer. @returns the function that makes its transport report a gap */
  async function startLosing(options: Partial<ConsumerOptions> = {}) {
    const direct = createDirectTransport()
    let onGap: Subscription['onGap']
    const transport: EventTransport = {
      ...direct,
      subscribe(subscription) {
        onGap = subscription.onGap
        return direct.subscribe(subscription)
      },
    }
    await start([consumer(userTopic, async () => undefined)], { transport, ...options })
    return async () => onGap?.([userTopic.name])
  }
  const shown = async () => (await notes.metrics.lastGap.get()).values
  const now = () => [{ labels: { topic: userTopic.name }, value: expect.closeTo(Date.now() / 1000, -1) }]

  it('are exported as a metric of their topic before `onGap` is called', async () => {
    const atRefill: unknown[] = []
    const lose = await startLosing({ onGap: async () => void atRefill.push(await shown()) })
    expect(await shown()).toEqual([])
    await lose()
    expect(atRefill).toEqual([now()])
  })

  it('are exported also without `onGap`', async () => {
    const lose = await startLosing()
    notes.metrics.lastGap.reset()
    await lose()
    expect(await shown()).toEqual(now())
  })
})
