import type { HttpClient } from '@caseway/testing'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { partner } from '../src/wiring.js'

const numRuns = Number(process.env.FUZZ_RUNS ?? 150)

let service: TestService
let expert: HttpClient
beforeAll(async () => {
  service = await testService(partner)
  expert = service.asExpert(service.office().expert)
})
afterAll(() => service.stop())

const text = fc.oneof(fc.constantFrom('', ' ', '\0', '\ud800', '__proto__', 'a\r\nb', '9'.repeat(400)), fc.string({ unit: 'binary' }))
const anything = fc.oneof(fc.jsonValue(), text, fc.constantFrom(-1, 2 ** 31, 1e300, null, true))
const record = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] })

const webhook = record({
  url: fc.oneof(
    fc.webUrl({ validSchemes: ['https'] }),
    fc.constantFrom('https://127.0.0.1/', 'https://[::1]', 'https://receiver.example'),
    anything,
  ),
  events: fc.oneof(fc.array(fc.oneof(fc.constantFrom('*', 'issue.created', 'user.updated'), text)), anything),
  active: fc.oneof(fc.constantFrom(0, 1, '0', '1'), anything),
  description: anything,
})
const integration = record({ auth_code: anything, state: anything, iss: anything })

const refusals = [400, 403, 404, 409, 413, 415, 429]

describe.each([
  ['/webhook', 'Webhook', webhook, [201, ...refusals]],
  // Without an accounting platform, requests that need it are answered with 503.
  ['/partner_oauth2', 'PartnerOauth2', integration, [503, ...refusals]],
] as const)('whatever is posted to %s', (path, name, fields, expected) => {
  it('is accepted, or refused with an expected status', async () => {
    const body = fc.oneof(
      { weight: 4, arbitrary: fc.oneof(fields, anything).map((sent) => JSON.stringify({ [name]: sent })) },
      fc.json(),
      fc.string({ unit: 'binary' }),
    )
    const seen = new Set<number>()
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const { status } = await expert.request('POST', path, sent, { 'content-type': 'application/json' })
        seen.add(status)
        expect(expected).toContain(status)
      }),
      { numRuns },
    )
    expect([...seen]).toContain(400)
  }, 60_000)
})
