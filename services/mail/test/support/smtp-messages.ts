import { guardedMailDialer } from '../../src/mail-connections/guarded-mail-dialer.client.js'
import { MailConnectionError } from '../../src/mail-connections/mail-connection-error.js'
import { smtpSession } from '../../src/mail-connections/smtp-session.client.js'
import { DeliveryUncertain, type OutgoingMessage, type SmtpMailbox, type SmtpSession } from '../../src/mail-connections/smtp-session.js'
import { lastLine } from './faulty-smtp.js'

const host = '127.0.0.1'
export const password = 'a secret of Anna'
const dial = guardedMailDialer({ outboundPrivateHosts: [host], caFile: undefined })
export const open = smtpSession(dial)
/** Sessions with short timeouts, for servers that do not answer. */
export const impatient = smtpSession(dial, { connectMs: 1000, greetingMs: 1000, idleMs: 1000, dotMs: 1000 })

export const mailboxAt = (serverPort: number, changes: Partial<SmtpMailbox> = {}): SmtpMailbox => ({
  ...{ serverProtocol: 1, serverAddress: host, serverPort, serverEncryption: 0, userLogin: 'anna', userEmail: 'anna@office.example' },
  ...{ credentials: { password }, ...changes },
})

export const text = `Subject: x\r\n\r\nfirst\r\n.dotted\r\n${lastLine}\r\n`
async function* inChunks(of: string) {
  for (const line of of.split(/(?<=\n)/)) yield Buffer.from(line)
}
export const messageOf = (of = text, to: readonly string[] = ['one@elsewhere.example', 'two@elsewhere.example']): OutgoingMessage => ({
  ...{ envelope: { from: 'anna@office.example', to }, content: inChunks(of), sizeBytes: Buffer.byteLength(of) },
})
export const atOnce = async () => undefined

/** The outcome in one or two words. */
export async function outcomeOf(work: () => Promise<readonly { state: string }[]>): Promise<string> {
  try {
    return [...new Set((await work()).map(({ state }) => state))].join(' ')
  } catch (error) {
    if (error instanceof DeliveryUncertain) return 'uncertain'
    if (error instanceof MailConnectionError) return `nothing: ${error.failed}`
    throw error
  }
}

export const sent = async (
  mailbox: SmtpMailbox,
  message = messageOf(),
  beforeDot: Parameters<SmtpSession['send']>[1] = atOnce,
  by = open,
) => {
  const session = await by(mailbox)
  try {
    return await session.send(message, beforeDot)
  } finally {
    session.close()
  }
}
