import { serviceNames } from '@caseway/registry'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { caseway, documentOf, type Installation, installation } from './support/installation.js'

let place: Installation
beforeAll(async () => {
  place = await installation()
  // One event of the office and one of its administrator.
  await place.office()
  await place.auth.rows("UPDATE kit.outbox SET created = now() - interval '90 seconds'")
})
afterAll(() => place.drop())

const nowhere = { KAFKA_BROKERS: '127.0.0.1:1', KAFKA_INSECURE: 'true' }

describe('events status', () => {
  it('shows the unpublished events of each service', async () => {
    const { services, lags } = documentOf(await place.caseway('events', 'status', '--json'))
    expect(lags).toBeNull()
    const others = serviceNames.filter((name) => name !== 'auth')
    expect(services).toEqual([
      { service: 'auth', outbox: { unpublished: 2, oldest_seconds: expect.any(Number) }, dead_letters: 0 },
      ...others.map((service) => ({ service, outbox: { unpublished: 0, oldest_seconds: 0 }, dead_letters: 0 })),
    ])
    const age = services[0].outbox.oldest_seconds
    expect(age >= 90 && age < 120).toBe(true)
  })

  it('shows one service as text', async () => {
    const { out } = await place.caseway('events', 'status', '--service', 'auth')
    expect(out).toMatch(/^SERVICE +UNPUBLISHED +OLDEST \(S\) +DEAD LETTERS\nauth +2 +9\d +0$/)
  })

  it('shows the outboxes even if Kafka does not answer', async () => {
    const { code, out, err } = await caseway({ ...place.env, ...nowhere }, 'events', 'status', '--json')
    const { services, lags } = JSON.parse(out)
    expect([services[0].outbox.unpublished, services.length, lags]).toEqual([2, serviceNames.length, null])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^Kafka at 127\.0\.0\.1:1 failed: [^\n]+$/) })
  })
})

describe('topics create', () => {
  it('fails without Kafka', async () => {
    expect(await place.caseway('topics', 'create')).toEqual({
      code: 1,
      out: '',
      err: 'There is no Kafka to talk to: set KAFKA_BROKERS, or run the platform with npm run start:distributed.',
    })
    const { code, err } = await caseway({ ...place.env, ...nowhere }, 'topics', 'create')
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^Kafka at 127\.0\.0\.1:1 failed: [^\n]+$/) })
  })
})
