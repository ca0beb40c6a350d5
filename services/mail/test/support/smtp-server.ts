import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface Delivered {
  readonly from: string
  readonly to: readonly string[]
  readonly bytes: Buffer
}

export interface TestSmtp {
  readonly port: number
  /** The messages that the server has accepted. */
  readonly delivered: Delivered[]
  /** The number of connections opened so far, and of open ones. */
  connections(): { readonly opened: number; readonly open: number }
  /** The names that clients have sent in EHLO. */
  readonly names: string[]
  /** Closes every connection. */
  drop(): void
  stop(): Promise<void>
}

/** A real SMTP server that accepts every message. */
export async function testSmtp(options: SMTPServerOptions = {}, port = 0): Promise<TestSmtp> {
  const delivered: Delivered[] = []
  const names: string[] = []
  const sockets = new Set<Socket>()
  let opened = 0
  const server = new SMTPServer({
    ...{ logger: false, authOptional: true, disabledCommands: ['STARTTLS'] },
    onAuth: (_, __, done) => done(null, { user: 'anna' }),
    onMailFrom: (_, session, done) => {
      names.push(session.hostNameAppearsAs as string)
      done()
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        delivered.push({ from, to: envelope.rcptTo.map(({ address }) => address), bytes: Buffer.concat(chunks) })
        done(null, `taken as ${delivered.length}`)
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  server.server.on('connection', (socket: Socket) => {
    opened += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  let stopped: Promise<void> | undefined
  return {
    port: (server.server.address() as { port: number }).port,
    ...{ delivered, names },
    connections: () => ({ opened, open: sockets.size }),
    drop,
    stop() {
      drop()
      stopped ??= new Promise((done) => server.close(() => done()))
      return stopped
    },
  }
}
