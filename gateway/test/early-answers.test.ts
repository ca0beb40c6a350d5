import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Surrounded, startTestGateway } from './support/gateway.js'

const upload = '/rest/common_file'
const [lengthBytes, chunkBytes] = [3_000_000, 100_000]

let around: Surrounded
beforeAll(async () => {
  around = await startTestGateway({ env: { GATEWAY_UPSTREAM_TIMEOUT_MS: '5000' } })
})
afterAll(() => around.stop())

/** Sends an upload, and reads the answer before the end of it. @returns the status, and whether the connection was reused */
async function send(agent: Agent) {
  const headers = { authorization: `Bearer ${around.tenant.expert.token}`, 'content-length': lengthBytes }
  const sent = request(around.gateway.expertUrl + upload, { method: 'POST', agent, headers })
  const response = once(sent, 'response')
  for (let left = lengthBytes; left > 0; left -= chunkBytes) {
    sent.write('a'.repeat(chunkBytes))
    await nextTurn()
  }
  const [answer] = await response
  await Promise.all([once(answer.resume(), 'end'), once(sent.end(), 'finish')])
  // The agent reclaims the connection in the next tick.
  await nextTurn()
  return [answer.statusCode, sent.reusedSocket]
}

describe('an answer before the end of the upload is read by its sender, and the connection is reused', () => {
  it.each([
    ['of the service', 413, () => around.others.on(`/expert${upload}`, (_incoming, response) => response.writeHead(413).end('too large'))],
    ['of the gateway, where the service is down', 503, () => around.others.stop()],
  ])('%s', async (_, status, prepare) => {
    await prepare()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let each = 0; each < 10; each++) expect(await send(agent)).toEqual([status, each > 0])
    agent.destroy()
  })
})
