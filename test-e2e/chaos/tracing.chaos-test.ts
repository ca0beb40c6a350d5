import { type TraceReceiver, traceReceiver } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { signInAs } from '../support/people.js'
import { gone, wayOfAChangedUser, wayOfAnUnknownUser } from '../support/traces.js'
import { type DistributedPlatform, startDistributed } from './support/distributed.js'

let receiver: TraceReceiver
let distributed: DistributedPlatform
beforeAll(async () => {
  receiver = await traceReceiver()
  distributed = await startDistributed(1, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '200' })
}, 240_000)
afterAll(async () => {
  await distributed?.stop()
  await receiver?.stop()
}, 60_000)

describe('a trace', () => {
  it('is one over gateway, services, gRPC, databases, outbox, Kafka and consumer, each a process of its own', async () => {
    const admin = await signInAs(distributed.demo, 'administrator')
    const trainee = distributed.demo.offices[0]?.accounts.trainee.user_id
    expect((await admin.api.put(`/user/${trainee}`, { User: { lastname: 'Newly-Named' } })).status).toBe(200)
    expect((await admin.api.post('/tag', { Tag: { name: 'Whose?', user_id: '9007199254740991' } })).status).toBe(400)

    const steps = await gone(receiver, wayOfAChangedUser)
    expect(new Set(steps.map(({ traceId }) => traceId)).size).toBe(1)
    const systems = steps.map(({ attributes }) => attributes['messaging.system.name']).filter(Boolean)
    expect(systems).toEqual(['kafka', 'kafka'])
    await gone(receiver, wayOfAnUnknownUser)
  })
})
