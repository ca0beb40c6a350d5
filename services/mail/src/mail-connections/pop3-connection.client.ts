import { connect as connectPlain, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { type Failed, failedOf, MailConnectionError } from './mail-connection-error.js'
import { type Dialed, isStartTls, isTls, type MailDialer, type Timeouts, usualTimeouts } from './mail-dialer.js'
import type { MailboxAccess } from './mailbox-access.js'
import type { OpenPop3, Pop3Connection } from './pop3-connection.js'
import { isOk, type Pop3Session, pop3Session } from './pop3-session.client.js'

/** Refusals of a login that say nothing about the password (RFC 2449, 8.1; RFC 3206). */
const temporary = /^-ERR \[(SYS\/|IN-USE|LOGIN-DELAY)/i

/** The most bytes of a list of all messages: enough for 200,000 with ids of usual length. */
const maxOfList = 16 * 1_048_576
/** The most bytes of a header. */
const maxOfHeader = 4 * 1_048_576

/** A POP3 client of our own: the maintained library has no STLS, takes an end mark that is split between packets for text, and resolves names itself. */
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

async function opened(mailbox: MailboxAccess, { address, tls }: Dialed, timeouts: Timeouts): Promise<Pop3Session> {
  const options = { host: address, port: mailbox.serverPort }
  const socket = isTls(mailbox) ? connectTls({ ...options, ...tls, ca: [...tls.ca] }) : connectPlain(options)
  await established(socket, isTls(mailbox) ? 'secureConnect' : 'connect', 'connect', timeouts)
  const session = pop3Session(socket, timeouts)
  await orClose(session, mustBeOk(session.greeting()))
  if (!isStartTls(mailbox)) return session
  await orClose(session, mustBeOk(session.command('STLS'), 'tls'))
  const secured = connectTls({ socket: session.release(), host: address, ...tls, ca: [...tls.ca] })
  await established(secured, 'secureConnect', 'tls', timeouts)
  return pop3Session(secured, timeouts)
}

/** Waits until a connecting socket emits `event`. @throws MailConnectionError `late` when the socket closes, or after `connectMs` */
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

/** Closes the session if `value` rejects. */
async function orClose<Value>(session: Pop3Session, value: Promise<Value>): Promise<Value> {
  try {
    return await value
  } catch (error) {
    session.close()
    throw error
  }
}

async function mustBeOk(reply: Promise<string>, failed: Failed = 'protocol'): Promise<void> {
  const text = await reply
  if (isOk(text)) return
  throw new MailConnectionError(failed === 'auth' && temporary.test(text) ? 'protocol' : failed)
}

async function signIn(session: Pop3Session, { userLogin, credentials }: MailboxAccess): Promise<void> {
  const ok = (text: string) => orClose(session, mustBeOk(session.command(text), 'auth'))
  if ('password' in credentials) {
    await ok(`USER ${userLogin}`)
    return ok(`PASS ${credentials.password}`)
  }
  const response = Buffer.from(`user=${userLogin}\u0001auth=Bearer ${credentials.accessToken}\u0001\u0001`).toString('base64')
  // Tokens are longer than a command may be (RFC 5034, 4): the response has a line of its own.
  const reply = await session.command('AUTH XOAUTH2')
  if (!/^\+( |$)/.test(reply)) {
    session.close()
    throw new MailConnectionError('auth')
  }
  return ok(response)
}

function connectionOf(session: Pop3Session): Pop3Connection {
  /** Sends a command about one message. @returns whether the server has the message */
  const isGiven = async (text: string) => {
    const reply = await session.ask(text)
    if (!isOk(reply) && !/^-ERR\b/i.test(reply)) throw new MailConnectionError('protocol')
    return isOk(reply)
  }
  const whole = (maxBytes: number) => buffer(session.answer(maxBytes))
  const numbered = async (text: string) => {
    await orClose(session, mustBeOk(session.ask(text)))
    return (await whole(maxOfList))
      .toString('latin1')
      .split('\r\n')
      .flatMap((line) => {
        const [, number, value] = /^(\d+) +(\S+)/.exec(line) ?? []
        return value === undefined ? [] : [[Number(number), value] as const]
      })
  }
  return {
    uniqueIds: async () => new Map(await numbered('UIDL')),
    sizes: async () => new Map((await numbered('LIST')).map(([number, size]) => [number, Number(size)])),
    retrieve: async (number, maxBytes) =>
      (await isGiven(`RETR ${number}`)) ? Readable.from(session.answer(maxBytes), { objectMode: false }) : null,
    header: async (number) => ((await isGiven(`TOP ${number} 0`)) ? whole(maxOfHeader) : null),
    async quit() {
      await session.command('QUIT').catch(() => undefined)
      session.close()
    },
    close: session.close,
  }
}
