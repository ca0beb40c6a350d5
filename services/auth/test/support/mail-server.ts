import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { eventually } from '@caseway/testing'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { type Auth, startAuthService } from './auth.js'

/** A mail is retried after a second or two. */
const patience = { timeoutMs: 20_000 }

/** A refusal by the server, or that it does not answer. */
export type Obstacle = { readonly at: 'recipient' | 'message'; readonly code: number } | { readonly at: 'message'; readonly silent: true }

/** A real SMTP server, without TLS, on the loopback interface. */
export interface MailServer {
  readonly url: string
  /** The accepted mails, in order. */
  readonly mails: ParsedMail[]
  /** Each applies to one mail; then the server accepts mails again. */
  readonly obstacles: Obstacle[]
  /** The mails that have arrived completely, accepted or not. */
  readonly received: ParsedMail[]
  stop(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
}

const refusal = (code: number) => Object.assign(new Error('not <somebody@client.test>'), { responseCode: code })

export async function mailServer(): Promise<MailServer> {
  const mails: ParsedMail[] = []
  const obstacles: Obstacle[] = []
  const received: ParsedMail[] = []
  const take = (at: Obstacle['at']) => (obstacles[0]?.at === at ? obstacles.shift() : undefined)

  const options: SMTPServerOptions = {
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 50,
    onRcptTo(_address, _session, done) {
      const obstacle = take('recipient')
      done(obstacle && 'code' in obstacle ? refusal(obstacle.code) : null)
    },
    onData(stream, _session, done) {
      void simpleParser(stream).then((mail) => {
        received.push(mail)
        const obstacle = take('message')
        if (obstacle && 'silent' in obstacle) return
        if (obstacle) return done(refusal(obstacle.code))
        mails.push(mail)
        done()
      })
    },
  }
  let server: SMTPServer
  let port = 0
  const start = async () => {
    server = new SMTPServer(options)
    const listening = server.listen(port, '127.0.0.1')
    await once(listening, 'listening')
    port = (listening.address() as AddressInfo).port
  }
  await start()
  return {
    ...{ mails, received, obstacles, start },
    url: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The service with a mail server that accepts its mails. */
export interface MailedAuth extends Auth {
  readonly server: MailServer
  /** Waits until there are `count` mails to an address, and returns them. */
  mailsTo(address: string, count?: number): Promise<ParsedMail[]>
}

export async function startMailedAuth(variables: Record<string, string> = {}): Promise<MailedAuth> {
  const server = await mailServer()
  const smtp = { AUTH_SMTP_URL: server.url, AUTH_SMTP_INSECURE: 'true', AUTH_MAIL_FROM: 'Caseway <no-reply@caseway.test>' }
  const auth = await startAuthService({ ...smtp, ...variables })
  const sentTo = (address: string) => server.mails.filter(({ to }) => [to ?? []].flat().some(({ text }) => text === address))
  return {
    ...auth,
    server,
    mailsTo: (address, count = 1) =>
      eventually(() => {
        const found = sentTo(address)
        if (found.length !== count) throw new Error(`${found.length} mails to ${address}, not ${count}`)
        return found
      }, patience),
    async stop() {
      await auth.stop()
      await server.stop()
    },
  }
}

/** The link of a mail, which its text and its HTML contain. */
export function linkOf(mail: ParsedMail | undefined): { url: string; topic: string; token: string } {
  const [url = '', topic = '', token = ''] = /https?:\/\/\S+\/#\/(\w+)\/([\w-]{22})(?=\s)/.exec(mail?.text ?? '') ?? []
  if (!(mail?.html || '').includes(`href="${url}"`)) throw new Error(`no link in ${mail?.text}`)
  return { url, topic, token }
}
