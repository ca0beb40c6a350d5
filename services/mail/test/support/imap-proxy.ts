import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Faults of an IMAP server. */
export interface ImapFaults {
  /** It refuses the bytes and the structure of this message, and of others that are requested together with it. */
  refused?: number
  /** It does not report the state of INBOX. */
  isSilent?: boolean
}

const fetchOfBytes = /^(\S+) UID FETCH (\S+) .*(BODY\.PEEK\[\]|BODYSTRUCTURE)/im

const names = (set: string, uid: number) =>
  set.split(',').some((part) => {
    const [first = 0, last = first] = part.split(':').map(Number)
    return first <= uid && uid <= last
  })

/** A proxy in front of an IMAP server without TLS. */
export async function imapProxy({ host, port }: { readonly host: string; readonly port: number }, faults: ImapFaults) {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, host)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
    client.on('data', (chunk) => {
      const [, tag, set = ''] = fetchOfBytes.exec(chunk.toString('latin1')) ?? []
      if (tag && faults.refused && names(set, faults.refused)) client.write(`${tag} NO It could not be converted.\r\n`)
      else upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      const reply = faults.isSilent ? chunk.toString('latin1').replace(/^\* STATUS "?INBOX"? .*\r\n/gim, '') : chunk
      client.write(reply, 'latin1')
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
