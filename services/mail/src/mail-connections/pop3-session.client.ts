import type { Socket } from 'node:net'
import { failedOf, MailConnectionError } from './mail-connection-error.js'
import type { Timeouts } from './mail-dialer.js'
import { pop3Replies } from './pop3-replies.js'

/** Unread bytes beyond which the socket is paused. */
const maxUnread = 1_048_576

export const isOk = (reply: string): boolean => /^\+OK\b/i.test(reply)

/** Sends commands and reads their replies, one after the other, over one socket. */
export interface Pop3Session {
  /** Sends a command. @returns the first line of the reply */
  command(text: string): Promise<string>
  /** The same for a command with a multi-line response, which has to be read with `answer` where the reply is +OK. */
  ask(text: string): Promise<string>
  /** The multi-line response as a stream. Abandoning it closes the session. @throws MailConnectionError when it is longer than `maxBytes` */
  answer(maxBytes: number): AsyncGenerator<Buffer>
  /** The greeting, which the server sends unasked. */
  greeting(): Promise<string>
  /** Hands over the socket for TLS. @throws MailConnectionError when the server has sent bytes too early (RFC 2595, 4) */
  release(): Socket
  close(): void
}

export function pop3Session(socket: Socket, timeouts: Timeouts): Pop3Session {
  const replies = pop3Replies()
  let failure: unknown
  let look = () => {}
  let isAnswering = false
  const fail = (error: unknown) => {
    failure ??= error
    socket.destroy()
    look()
  }
  const onData = (chunk: Buffer) => {
    try {
      replies.push(chunk)
      look()
      if (replies.size() > maxUnread) socket.pause()
    } catch {
      fail(new MailConnectionError('protocol'))
    }
  }
  const broken = (error: unknown) => fail(new MailConnectionError(failedOf(error) ?? 'protocol'))
  const lost = () => fail(new MailConnectionError('protocol'))
  socket.on('data', onData).on('error', broken).on('close', lost).on('timeout', lost)

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
      socket.resume()
    })

  const send = (text: string, withinMs: number, find: () => string | undefined) => {
    // What a user has entered must not end the command, and an unread response must not be taken for the reply to it.
    if (/[\r\n\0]/.test(text) || isAnswering) return Promise.reject(new MailConnectionError('protocol'))
    socket.write(`${text}\r\n`)
    return next(find, withinMs)
  }
  const lineBeforeAnswer = () => {
    const line = replies.line()
    if (line !== undefined && isOk(line)) {
      isAnswering = true
      replies.begin()
    }
    return line
  }

  return {
    greeting: () => next(replies.line, timeouts.greetingMs),
    command: (text) => send(text, timeouts.greetingMs, replies.line),
    ask: (text) => send(text, timeouts.idleMs, lineBeforeAnswer),
    async *answer(maxBytes) {
      let bytes = 0
      try {
        for (;;) {
          const part = await next(replies.part, timeouts.idleMs)
          if (part === null) {
            isAnswering = false
            return
          }
          bytes += part.length
          if (bytes > maxBytes) throw new MailConnectionError('protocol')
          yield part
        }
      } finally {
        if (isAnswering) socket.destroy()
      }
    },
    release() {
      if (replies.size() > 0) throw new MailConnectionError('tls')
      socket.setTimeout(0)
      return socket.off('data', onData).off('error', broken).off('close', lost).off('timeout', lost)
    },
    close: () => void socket.destroy(),
  }
}
