import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  status: number
  /** By lower-case name; repeated headers are joined. */
  headers: Record<string, string>
  body: string
}

const open = async (url: string): Promise<Socket> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await new Promise((connected, failed) => socket.once('connect', connected).once('error', failed))
  return socket
}

/** Opens a connection without sending anything. */
export const openConnection = open

/** Sends `request` byte for byte, which `fetch` cannot, and reads until the other side closes the connection. */
export async function rawRequest(url: string, request: string | Buffer): Promise<RawAnswer> {
  const socket = await open(url)
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  socket.write(request)
  await new Promise((closed) => socket.once('close', closed).on('error', () => undefined))
  return parse(Buffer.concat(received).toString('latin1'))
}

/** Sends a request without a body and closes the connection after the answer. */
export const rawGet = (url: string, target: string, headers: Record<string, string> = {}, method = 'GET') => {
  const fields = Object.entries({ host: 'gateway.test', connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return rawRequest(url, Buffer.from(`${method} ${target} HTTP/1.1\r\n${fields.join('')}\r\n`, 'latin1'))
}

function parse(answer: string): RawAnswer {
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  const [statusLine = '', ...fields] = head.split('\r\n')
  const headers: Record<string, string> = {}
  for (const field of fields) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(field) ?? []
    const known = headers[name.toLowerCase()]
    headers[name.toLowerCase()] = known === undefined ? value : `${known}, ${value}`
  }
  return { status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n') }
}
