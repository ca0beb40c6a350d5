import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setImmediate as pause } from 'node:timers/promises'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { MailConnectionError } from './mail-connection-error.js'
import type { MailDialer } from './mail-dialer.js'
import { failedAtSmtp, smtpLogin, smtpOptions } from './smtp-connection.client.js'
import { replyText, stateOfReply } from './smtp-reply.js'
import { DeliveryUncertain, type RecipientAnswer, type SmtpMailbox, type SmtpSession } from './smtp-session.js'
import { type SmtpTimeouts, sendTimeouts } from './smtp-timeouts.js'

type SMTPError = SMTPConnection.SMTPError
type SentMessageInfo = SMTPConnection.SentMessageInfo

/** Timeout for the answer to QUIT, in milliseconds. */
const leaveMs = 1000

/** Opens a connection to an SMTP server, and signs in where the server supports it. @throws MailConnectionError */
export type OpenSmtp = (mailbox: SmtpMailbox) => Promise<SmtpSession>

/** Uses nodemailer's SMTPConnection with its log off. */
export const smtpSession =
  (dial: MailDialer, timeouts: SmtpTimeouts = sendTimeouts): OpenSmtp =>
  async (mailbox) => {
    let connection: SMTPConnection | undefined
    try {
      const options = smtpOptions(mailbox, await dial(mailbox), timeouts)
      const opened = new SMTPConnection({ ...options, ...{ name: heloName(mailbox.userEmail), socketCloseTimeout: 0 } })
      connection = opened
      // Between two steps this is the only listener: without one, an `error` event would be thrown.
      opened.on('error', () => undefined)
      await step(opened, (done) => opened.connect(done))
      // The end of a message is a small write of its own, which Nagle's algorithm (RFC 896) would delay.
      if (opened._socket) opened._socket.setNoDelay(true)
      const login = smtpLogin(mailbox)
      if (login && opened.allowsAuth) await step(opened, (done) => opened.login(login, done))
      return sessionOf(opened, timeouts)
    } catch (error) {
      connection?.close()
      throw new MailConnectionError(failedAtSmtp(error))
    }
  }

/** The domain of the address: the name of this host is not disclosed. */
const heloName = (address: string): string => {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return /^(?=.{1,255}$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)+$/.test(domain) ? domain : '[127.0.0.1]'
}

type Done<Result> = (error?: Error | null, result?: Result) => void

/** Runs one command or several. Some errors of the connection are emitted as events only, and do not reach the callback. */
async function step<Result>(connection: SMTPConnection, begin: (done: Done<Result>) => void): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const ended = () => reject(new MailConnectionError('protocol'))
  connection.once('error', reject).once('end', ended)
  try {
    begin((error, result) => (error ? reject(error) : resolve(result as Result)))
    return await promise
  } finally {
    connection.off('error', reject).off('end', ended)
  }
}

function sessionOf(connection: SMTPConnection, timeouts: SmtpTimeouts): SmtpSession {
  let used = false
  const answersWithin = (ms: number) => void (connection._socket || undefined)?.setTimeout(ms)

  return {
    async send({ envelope: { from, to }, content, sizeBytes }, beforeDot, signal) {
      signal?.throwIfAborted()
      used = true
      let hasEnd = false
      let stopped: { readonly by: unknown } | undefined
      let asked: Promise<void> | undefined
      const beforeEnd = async () => {
        await written(connection)
        asked = beforeDot(notTakenOf(connection))
        await asked
        signal?.throwIfAborted()
        if (connection.destroyed) throw new MailConnectionError('connect')
        answersWithin(timeouts.dotMs)
        hasEnd = true
      }
      const whole = async function* () {
        try {
          yield* ofSize(content, sizeBytes)
          await beforeEnd()
        } catch (by) {
          stopped ??= { by }
          throw new Error('The message ends before its end.')
        }
      }
      const stop = () => {
        if (hasEnd) return
        stopped ??= { by: signal?.reason }
        connection.close()
      }
      signal?.addEventListener('abort', stop)
      // No read-ahead: the next chunk is read when the previous one is written.
      const source = Readable.from(whole(), { objectMode: false, highWaterMark: 0 })
      try {
        const sent = await step<SentMessageInfo>(connection, (done) => connection.send({ from, to: [...to] }, source, done))
        // The server has answered before the message was sent.
        if (!hasEnd) throw new MailConnectionError('protocol')
        answersWithin(timeouts.idleMs)
        return to.map((address) => answerOf(address, sent))
      } catch (error) {
        // Read before the connection is closed, because that stops the content as well.
        const first = stopped
        const answers = first ? undefined : answersOf(to, notTakenOf(connection), error as SMTPError, hasEnd)
        if (!answers || (source.readableDidRead && !hasEnd)) connection.close()
        await asked?.catch(() => undefined)
        if (answers) return answers
        if (hasEnd) throw new DeliveryUncertain()
        throw first ? first.by : new MailConnectionError(failedAtSmtp(error))
      } finally {
        signal?.removeEventListener('abort', stop)
        source.destroy()
      }
    },

    async isReady() {
      if (connection.destroyed) return false
      if (!used) return true
      try {
        answersWithin(timeouts.greetingMs)
        await step(connection, (done) => connection.reset(done))
        answersWithin(timeouts.idleMs)
        return true
      } catch {
        return false
      }
    },

    close() {
      if (connection.destroyed) return
      answersWithin(leaveMs)
      connection.quit()
    },
  }
}

/** Passes the content on. @throws Error when it has fewer or more than `sizeBytes` */
async function* ofSize(content: AsyncIterable<Uint8Array>, sizeBytes: number) {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > sizeBytes) break
    yield chunk
  }
  if (bytes !== sizeBytes) throw new Error('The message has not as many bytes as were stored.')
}

/** Waits until the socket has drained. */
async function written({ _socket: socket }: SMTPConnection): Promise<void> {
  await pause()
  if (!socket) return
  while (socket.writableNeedDrain) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
}

function answerOf(address: string, { accepted, rejectedErrors = [], response }: SentMessageInfo): RecipientAnswer {
  if (accepted.includes(address)) return { address, state: 'accepted', reply: replyText(response) }
  return refusalOf(
    address,
    rejectedErrors.find((error) => recipientOf(error) === address),
  )
}

const recipientOf = (error: SMTPError) => (error as { recipient?: string }).recipient

const refusalOf = (address: string, error: SMTPError | undefined): RecipientAnswer => ({
  ...{ address, state: stateOfReply(error?.responseCode), reply: replyText(error?.response ?? '') },
})

/**
 * The recipients that the server has refused so far. The library reports them with the answer to the end of the data, which may be lost, so they are
 * taken from its envelope.
 */
function notTakenOf(connection: SMTPConnection): RecipientAnswer[] {
  const { _envelope: envelope } = connection as unknown as { readonly _envelope?: Partial<SentMessageInfo> }
  const errors = envelope?.rejectedErrors ?? []
  return errors.flatMap((error) => {
    const address = recipientOf(error)
    return address === undefined ? [] : [refusalOf(address, error)]
  })
}

/**
 * The server's answer to the message as a whole, for each recipient; undefined where the error is no such answer. A recipient that was refused before
 * keeps its own answer, because the answer to the message is for the others (RFC 5321, 3.3).
 */
function answersOf(
  to: readonly string[],
  notTaken: readonly RecipientAnswer[],
  error: SMTPError,
  ended: boolean,
): RecipientAnswer[] | undefined {
  const { code, command, responseCode } = error
  // nodemailer refuses an address with a line break, and a message without recipients.
  if (code === 'EENVELOPE' && command === 'API')
    return to.map((address) => ({ address, state: 'refused', reply: 'The address is not valid.' }))
  if (responseCode === undefined || responseCode < 400 || responseCode > 599) return undefined
  const isAnswer = ended ? code === 'EMESSAGE' && command === 'DATA' : code === 'EENVELOPE' || code === 'EMESSAGE'
  if (!isAnswer) return undefined
  // After a refused sender, pipelined recipients are refused as well (RFC 2920, 3.1), only for that reason.
  const before = command === 'MAIL FROM' ? [] : notTaken
  return to.map((address) => before.find((one) => one.address === address) ?? refusalOf(address, error))
}
