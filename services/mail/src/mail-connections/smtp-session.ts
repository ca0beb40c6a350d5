import type { Id } from '@caseway/kit/caller'
import type { Mailbox } from './mailbox-access.js'

/** A message as it was frozen. */
export interface OutgoingMessage {
  readonly envelope: { readonly from: string; readonly to: readonly string[] }
  readonly content: AsyncIterable<Uint8Array>
  /** Of the content: fewer or more bytes are no message. */
  readonly sizeBytes: number
}

/** What a server has decided of one recipient. `deferred`: it may take the message later (4xx). `refused`: it will not (5xx). */
export interface RecipientAnswer {
  readonly address: string
  readonly state: 'accepted' | 'deferred' | 'refused'
  /** What the server said, in one line. */
  readonly reply: string
}

/** The answer to the end of the data was lost: the server may have taken the message, or not. */
export class DeliveryUncertain extends Error {
  override readonly name = 'DeliveryUncertain'

  constructor() {
    super('The connection was lost before the mail server had answered. Nobody knows whether it has taken the message.')
  }
}

/** A connection to an SMTP server that is signed in, for one message at a time. */
export interface SmtpSession {
  /**
   * Sends a message to those recipients that the server accepts.
   * @param beforeDot awaited when all of the content is written, and before the end of the data is, with those whom the server has not taken: they do not get
   * the message, whatever becomes of it. When it rejects the connection ends without it, and nothing was sent
   * @param signal ends the connection, as long as nothing was sent
   * @returns what the server has decided, of each recipient
   * @throws MailConnectionError when nothing can have been delivered
   * @throws DeliveryUncertain
   */
  send(
    message: OutgoingMessage,
    beforeDot: (notTaken: readonly RecipientAnswer[]) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<RecipientAnswer[]>
  /** Whether the connection can take another message; asks the server (RSET). */
  isReady(): Promise<boolean>
  /** Takes its leave, and waits for nothing. */
  close(): void
}

/** What a connection depends on. */
export type SmtpMailbox = Pick<
  Mailbox,
  'serverProtocol' | 'serverAddress' | 'serverPort' | 'serverEncryption' | 'userLogin' | 'userEmail' | 'credentials'
>

/** Connections that are kept for the next message. */
export interface SmtpPool {
  /** One message, or several, over a connection of the mailbox that is free. @throws MailConnectionError when none can be opened */
  use<Result>(mailbox: SmtpMailbox & { readonly id: Id }, work: (session: SmtpSession) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}
