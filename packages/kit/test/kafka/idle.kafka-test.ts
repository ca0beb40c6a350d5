import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { createTopics, type EventTransport, kafkaConnection } from '@caseway/kit/events'
import { afterEach, expect, it } from '@jest/globals'
import { log } from '../support/notes.js'
import { recordOf, userEvent } from '../support/people.js'
import { broker, transportTo } from './support.js'

const open: EventTransport[] = []
afterEach(() => Promise.all(open.splice(0).map((transport) => transport.stop())))

const observedMs = 3_000
/** Several times the expected wake-ups: a fetch and a heartbeat for each of two subscriptions, and the timeouts of all connections. */
const wakeUpsPerSecond = 60

const wakeUps = () => performance.nodeTiming.uvMetricsInfo.loopCount

it('a process with two subscriptions and a publisher sleeps while there are no events', async () => {
  const topic = `idle.${randomUUID()}.v1`
  await createTopics(kafkaConnection({ ...broker, clientId: 'idle', log }), [topic])
  const transport = transportTo(broker)
  open.push(transport)
  const handled = Promise.withResolvers<void>()
  const subscription = { group: `group-${randomUUID()}`, topics: [topic], handle: async () => handled.resolve() }
  await transport.subscribe({ ...subscription, broadcast: true, handle: async () => undefined })
  await transport.subscribe(subscription)
  await transport.publish([recordOf(userEvent(1n), topic)])
  await handled.promise

  const before = wakeUps()
  await pause(observedMs)
  expect(wakeUps() - before).toBeLessThan((wakeUpsPerSecond * observedMs) / 1_000)
})
