import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends raw text, and `later` once the answer has begun. @returns everything that arrives until the server closes the connection */
export async function sendRaw(port: number, text: string, later?: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port })
  await once(socket, 'connect')
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk))
  if (later) socket.once('data', () => socket.write(later))
  socket.on('error', () => undefined)
  socket.write(text)
  await once(socket, 'close')
  return answer
}

/** The status and the parsed body of an answer. */
export function partsOf(answer: string): { status: number; body: unknown } {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) }
}
