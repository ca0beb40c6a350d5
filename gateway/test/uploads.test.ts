import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually, freedBytes } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Surrounded, startTestGateway } from './support/gateway.js'

const upload = '/rest/common_file'
const requestTimeoutMs = 500

let around: Surrounded
beforeAll(async () => {
  around = await startTestGateway({
    env: {
      GATEWAY_BODY_LIMIT_BYTES: '1000',
      GATEWAY_UPLOAD_LIMIT_BYTES: '3000000',
      GATEWAY_REQUEST_TIMEOUT_MS: String(requestTimeoutMs),
    },
  })
})
afterAll(() => around.stop())

/** A request whose body the test sends in pieces. */
function begin(path: string, lengthBytes: number) {
  const headers = { authorization: `Bearer ${around.tenant.expert.token}`, 'content-length': lengthBytes }
  const sent = request(around.gateway.expertUrl + path, { method: 'POST', agent: false, headers })
  sent.on('error', () => undefined)
  return sent
}

it('an upload may be larger than other bodies, up to its own limit', async () => {
  const answer = await around.expert.post<{ body: string }>(upload, 'a'.repeat(3_000_000))
  expect([answer.status, answer.body.body.length]).toEqual([200, 3_000_000])
  const before = around.others.seen.length
  expect((await around.expert.post(upload, 'a'.repeat(3_000_001))).status).toBe(413)
  expect((await around.expert.post('/rest/tag', 'a'.repeat(1_001))).status).toBe(413)
  expect((await around.expert.put(upload, 'a'.repeat(1_001))).status).toBe(413)
  expect(around.others.seen).toHaveLength(before)
})

it('an upload may last for as long as it needs', async () => {
  const sent = begin(upload, 4)
  const response = once(sent, 'response')
  for (const letter of 'slow') {
    sent.write(letter)
    await pause(requestTimeoutMs / 2)
  }
  const [answer] = await response
  expect(answer.statusCode).toBe(200)
  answer.resume()
})

it('any other body that takes too long is 408', async () => {
  const sent = begin('/rest/tag', 4)
  const response = once(sent, 'response')
  sent.write('s')
  const [answer] = await response
  expect(answer.statusCode).toBe(408)
})

it('an upload that its sender aborts is not logged as an error of the platform', async () => {
  const begun = new Promise<void>((arrived) =>
    around.others.on(`/expert${upload}`, (incoming) => {
      incoming.once('data', () => arrived())
      return once(incoming, 'close')
    }),
  )
  const sent = begin(upload, 1_000_000)
  sent.write('a'.repeat(100_000))
  await begun
  const logged = around.lines.length
  sent.destroy()
  await eventually(async () => expect(around.lines.slice(logged).join()).toContain('ECONNRESET'))
  await around.expert.get(`${upload}/after`)
  expect(around.lines.slice(logged).join()).not.toContain('could not be answered')
})

it('a short body that its sender aborts is not logged as an error of the platform', async () => {
  const logged = around.lines.length
  const headers = { authorization: `Bearer ${around.tenant.expert.token}`, 'content-type': 'application/json', 'content-length': 100 }
  const sent = request(`${around.gateway.expertUrl}/rest/tag`, { method: 'POST', agent: false, headers })
  const closed = new Promise((done) => sent.on('error', () => undefined).on('close', done))
  sent.write('{"Tag":')
  await pause(100)
  sent.destroy()
  await closed
  await around.expert.get('/rest/tag/after')
  expect(around.lines.slice(logged).join()).not.toContain('a request failed')
})

it('a large body arrives unchanged, and its memory is freed in both directions', async () => {
  const sent = randomBytes(3_000_000)
  around.others.on(`/expert${upload}`, (incoming, response) => incoming.pipe(response.setHeader('content-length', sent.length)))
  let received = Buffer.alloc(0)
  const freed = await freedBytes(async () => {
    const headers = { authorization: `Bearer ${around.tenant.expert.token}` }
    const answer = await fetch(around.gateway.expertUrl + upload, { method: 'POST', headers, body: sent })
    received = Buffer.from(await answer.arrayBuffer())
  })
  expect(received.equals(sent)).toBe(true)
  // One direction alone frees at most `sent.length`.
  expect(freed).toBeGreaterThan(1.5 * sent.length)
})
