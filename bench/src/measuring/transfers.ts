import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'

const agent = new Agent({ keepAlive: true })

type Headers = Record<string, string | number>

/** Runs `transfer` `count` times, `atOnce` of them concurrently. @returns the rate in MB/s for `bytes` per transfer */
export async function megabytesPerSecond(
  count: number,
  atOnce: number,
  bytes: number,
  transfer: (number: number) => Promise<unknown>,
): Promise<number> {
  let next = 0
  const startedAt = performance.now()
  const work = async () => {
    while (next < count) await transfer(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return (count * bytes) / 1_000 / (performance.now() - startedAt)
}

/** Sends a body that consists of several parts. @returns the answer */
export async function send(method: 'POST' | 'PUT', url: string, headers: Headers, body: readonly Buffer[]): Promise<string> {
  const length = body.reduce((sum, part) => sum + part.length, 0)
  const sent = request(url, { method, agent, headers: { ...headers, 'content-length': length } })
  for (const part of body) sent.write(part)
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const text = (await answer.setEncoding('utf8').toArray()).join('')
  expectStatus(answer, 201, 204)
  return text
}

/** Reads an answer to its end, and discards it. */
export async function receive(url: string, headers: Headers, bytes: number): Promise<void> {
  const answer = await open(url, headers, agent)
  let received = 0
  for await (const chunk of answer) received += chunk.length
  if (received !== bytes) throw new Error(`${url} gave ${received} bytes of ${bytes}.`)
}

/** Sends a GET and returns the answer unread, by default on a new connection. */
export async function open(url: string, headers: Headers, connections: Agent | false = false): Promise<IncomingMessage> {
  const sent = request(url, { agent: connections, headers })
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  expectStatus(answer, 200)
  return answer
}

function expectStatus({ statusCode = 0, req }: IncomingMessage & { req?: { path: string } }, ...expected: number[]): void {
  if (!expected.includes(statusCode)) throw new Error(`${req?.path} was answered with ${statusCode}.`)
}
