import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Answer, decode, encode, RECURSION_AVAILABLE } from 'dns-packet'

const refused = 5
const noSuchName = 3

/** A DNS server with TXT records. It refuses names whose value is null, and has no other names. */
export async function dnsServer(texts: Readonly<Record<string, readonly string[] | null>>) {
  const socket = createSocket('udp4')
  const queriedNames: string[] = []
  socket.on('message', (message, { port, address }) => {
    const { id, questions = [] } = decode(message)
    const name = questions[0]?.name ?? ''
    queriedNames.push(name)
    const found = texts[name.toLowerCase()]
    const code = found === null ? refused : found === undefined ? noSuchName : 0
    // A text longer than 255 characters has several parts (RFC 7208, 3.3).
    const answers = (found ?? []).map((text): Answer => ({ type: 'TXT', name, data: text.match(/.{1,255}/g) ?? [''] }))
    socket.send(encode({ type: 'response', id, flags: RECURSION_AVAILABLE | code, questions, answers }), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queriedNames,
    stop: () => new Promise<void>((done) => socket.close(() => done())),
  }
}
