import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

/** The answers of a server to a connection and to lines. Undefined is silence; null closes the connection. */
export interface Script {
  readonly greeting?: string | null
  /** @param connection identifies the connection of the line */
  answer?(line: string, connection?: object): string | null | undefined
  /** The answer to this line is delayed. */
  readonly later?: { readonly line: string; readonly until: Promise<void> }
  /** TLS from the first byte. */
  readonly tls?: { readonly cert: string; readonly key: string }
}

export interface ScriptedServer {
  readonly port: number
  /** All bytes that were received in plain text. */
  received(): string
  stop(): Promise<void>
}

/** A server that answers by a script. */
export async function scriptedServer({ greeting, answer = () => undefined, later, tls }: Script): Promise<ScriptedServer> {
  let received = ''
  const sockets = new Set<Socket>()
  const talk = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    if (greeting === null) socket.end()
    else if (greeting !== undefined) socket.write(greeting)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      for (const line of chunk.toString('latin1').split('\r\n').slice(0, -1)) {
        const reply = answer(line, socket)
        if (reply === null) socket.end()
        else if (reply !== undefined && line === later?.line) void later.until.then(() => socket.write(reply))
        else if (reply !== undefined) socket.write(reply)
      }
    })
  }
  const server: Server = tls ? createTlsServer(tls, talk) : createServer(talk)
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as { port: number }).port,
    received: () => received,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Scripts of servers that accept every login in plain text, and offer no encryption, by protocol number. */
export const credulous: Readonly<Record<number, Script>> = {
  1: {
    greeting: '220 hello\r\n',
    answer: (line) => {
      if (/^EHLO/i.test(line)) return '250-hello\r\n250 AUTH PLAIN LOGIN\r\n'
      if (/^AUTH/i.test(line)) return '235 welcome\r\n'
      return /^QUIT/i.test(line) ? null : '502 what\r\n'
    },
  },
  2: {
    greeting: '* OK [CAPABILITY IMAP4rev1] hello\r\n',
    answer: (line) => {
      const [tag, verb = ''] = line.split(' ')
      if (verb.toUpperCase() === 'CAPABILITY') return `* CAPABILITY IMAP4rev1\r\n${tag} OK done\r\n`
      if (verb.toUpperCase() === 'STARTTLS') return `${tag} BAD what\r\n`
      return `${tag} OK done\r\n`
    },
  },
  3: {
    greeting: '+OK hello\r\n',
    answer: (line) => (/^(STLS|CAPA)/i.test(line) ? '-ERR what\r\n' : '+OK\r\n'),
  },
}
