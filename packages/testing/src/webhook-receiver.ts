import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received request. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: {
    readonly type: string
    readonly timestamp: string
    readonly data: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
}

/** A server to which webhooks are sent. */
export interface Receiver {
  readonly url: string
  /** `host:port`. */
  readonly host: string
  /** All received requests, in order. */
  readonly received: Received[]
  /** Answers a request; by default with 204. If it does not end the answer, the sender waits. */
  answer: (response: ServerResponse, received: Received) => void
  stop(): Promise<void>
}

export async function receiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const got = { headers: request.headers, text, body: JSON.parse(text) }
    received.push(got)
    self.answer(response, got)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const self: Receiver = {
    ...{ url: `http://${host}/hook`, host, received },
    answer: (response) => void response.writeHead(204).end(),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return self
}
