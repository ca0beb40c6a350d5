import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Failed, failedOf, MailConnectionError } from './mail-connection-error.js'
import { type Dialed, isStartTls, isTls, type MailDialer, type Timeouts, usualTimeouts } from './mail-dialer.js'
import type { MailboxAccess } from './mailbox-access.js'
import type { OpenPop3, Pop3Connection } from './pop3-connection.js'
import { pop3Replies } from './pop3-replies.js'

/** Refusals of a login that say nothing about the password (RFC 2449, 8.1; RFC 3206). */
const temporary = /^-ERR \[(SYS\/|IN-USE|LOGIN-DELAY)/i

/** Commands and their replies, one after the other, over one socket. */
interface Session {
  /** The first line of the reply. */
  command(text: string): Promise<string>
  /** The other lines of a reply. */
  lines(): Promise<Buffer>
  /** A line that the server sends by itself: the greeting. */
  greeting(): Promise<string>
  /** The socket, to be encrypted. Whatever the server sent too early is refused (RFC 2595, 4). */
  release(): Socket
  close(): void
}

/**
 * Opens connections by a client of our own: the maintained library for POP3 has no STLS, takes an end mark that is cut by a packet for text, and
 * resolves names by itself.
 */
export const pop3Connection =
  (dial: MailDialer, timeouts: Timeouts = usualTimeouts): OpenPop3 =>
  async (mailbox) => {
    try {
      const dialed = await dial(mailbox)
      const session = await opened(mailbox, dialed, timeouts)
      await signIn(session, mailbox)
      return connectionOf(session)
    } catch (error) {
      throw new MailConnectionError(failedOf(error) ?? 'protocol')
    }
  }

async function opened(mailbox: MailboxAccess, { address, tls }: Dialed, timeouts: Timeouts): Promise<Session> {
  const options = { host: address, port: mailbox.serverPort }
  const socket = isTls(mailbox) ? connectTls({ ...options, ...tls, ca: [...tls.ca] }) : connectPlain(options)
  await established(socket, isTls(mailbox) ? 'secureConnect' : 'connect', 'connect', timeouts)
  const session = sessionOver(socket, timeouts)
  await orClose(session, mustBeOk(session.greeting()))
  if (!isStartTls(mailbox)) return session
  await orClose(session, mustBeOk(session.command('STLS'), 'tls'))
  const secured = connectTls({ socket: session.release(), host: address, ...tls, ca: [...tls.ca] })
  await established(secured, 'secureConnect', 'tls', timeouts)
  return sessionOver(secured, timeouts)
}

/** Waits for an event of a socket that connects, for as long as a step may take. */
function established(socket: Socket, event: 'connect' | 'secureConnect', late: Failed, timeouts: Timeouts): Promise<void> {
  return new Promise((done, fail) => {
    const refuse = (error: unknown) => {
      clearTimeout(timer)
      socket.destroy()
      fail(error)
    }
    const timer = setTimeout(() => refuse(new MailConnectionError(late)), timeouts.connectMs)
    socket.once('error', refuse)
    socket.once('close', () => refuse(new MailConnectionError(late)))
    socket.once(event, () => {
      clearTimeout(timer)
      socket.removeAllListeners('error').removeAllListeners('close')
      done()
    })
  })
}

function sessionOver(socket: Socket, timeouts: Timeouts): Session {
  const replies = pop3Replies()
  let failure: unknown
  let look = () => {}
  const fail = (error: unknown) => {
    failure ??= error
    socket.destroy()
    look()
  }
  const onData = (chunk: Buffer) => {
    try {
      replies.push(chunk)
      look()
    } catch {
      fail(new MailConnectionError('protocol'))
    }
  }
  const lost = () => fail(new MailConnectionError('protocol'))
  socket.on('data', onData).on('error', fail).on('close', lost).on('timeout', lost)

  const next = <Found>(find: () => Found | undefined, withinMs: number) =>
    new Promise<Found>((done, refuse) => {
      socket.setTimeout(withinMs)
      look = () => {
        const found = find()
        if (found === undefined && failure === undefined) return
        look = () => {}
        socket.setTimeout(0)
        if (found === undefined) refuse(failure)
        else done(found)
      }
      look()
    })

  const line = (withinMs: number) => next(replies.line, withinMs)
  return {
    greeting: () => line(timeouts.greetingMs),
    lines: () => next(replies.lines, timeouts.idleMs),
    command(text) {
      // What a person entered ends no command.
      if (/[\r\n\0]/.test(text)) return Promise.reject(new MailConnectionError('protocol'))
      socket.write(`${text}\r\n`)
      return line(timeouts.greetingMs)
    },
    release() {
      if (replies.size() > 0) throw new MailConnectionError('tls')
      socket.setTimeout(0)
      return socket.off('data', onData).off('error', fail).off('close', lost).off('timeout', lost)
    },
    close: () => void socket.destroy(),
  }
}

/** Does not leave a connection open that somebody has given up. */
async function orClose<Value>(session: Session, value: Promise<Value>): Promise<Value> {
  try {
    return await value
  } catch (error) {
    session.close()
    throw error
  }
}

async function mustBeOk(reply: Promise<string>, failed: Failed = 'protocol'): Promise<void> {
  const text = await reply
  if (/^\+OK\b/i.test(text)) return
  throw new MailConnectionError(failed === 'auth' && temporary.test(text) ? 'protocol' : failed)
}

async function signIn(session: Session, { userLogin, credentials }: MailboxAccess): Promise<void> {
  const ok = (text: string) => orClose(session, mustBeOk(session.command(text), 'auth'))
  if ('password' in credentials) {
    await ok(`USER ${userLogin}`)
    return ok(`PASS ${credentials.password}`)
  }
  const response = Buffer.from(`user=${userLogin}\u0001auth=Bearer ${credentials.accessToken}\u0001\u0001`).toString('base64')
  return ok(`AUTH XOAUTH2 ${response}`)
}

function connectionOf(session: Session): Pop3Connection {
  const lines = async (text: string) => {
    await orClose(session, mustBeOk(session.command(text)))
    return session.lines()
  }
  const numbered = async (text: string) =>
    (await lines(text))
      .toString()
      .split(/\r?\n/)
      .flatMap((line) => {
        const [, number, value] = /^(\d+) +(\S+)/.exec(line) ?? []
        return value === undefined ? [] : [[Number(number), value] as const]
      })
  return {
    uniqueIds: async () => new Map(await numbered('UIDL')),
    sizes: async () => new Map((await numbered('LIST')).map(([number, size]) => [number, Number(size)])),
    retrieve: (number) => lines(`RETR ${number}`),
    top: (number, count) => lines(`TOP ${number} ${count}`),
    async quit() {
      await session.command('QUIT').catch(() => undefined)
      session.close()
    },
    close: session.close,
  }
}
