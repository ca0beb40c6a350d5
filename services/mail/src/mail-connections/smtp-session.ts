import type { Id } from '@caseway/kit/caller'
import type { Mailbox } from './mailbox-access.js'

/** A stored message with its envelope. */
export interface OutgoingMessage {
  readonly envelope: { readonly from: string; readonly to: readonly string[] }
  readonly content: AsyncIterable<Uint8Array>
  /** The size of the content: with fewer or more bytes it is not sent. */
  readonly sizeBytes: number
}

/** The server's decision about one recipient. `deferred`: it may take the message later (4xx). `refused`: it will not (5xx). */
export interface RecipientAnswer {
  readonly address: string
  readonly state: 'accepted' | 'deferred' | 'refused'
  /** The reply of the server, in one line. */
  readonly reply: string
}

/** Thrown when the answer to the end of the data was lost: the server may have accepted the message or not. */
export class DeliveryUncertain extends Error {
  override readonly name = 'DeliveryUncertain'

  constructor() {
    super('The connection was lost before the mail server had answered. Nobody knows whether it has taken the message.')
  }
}

/** A signed-in connection to an SMTP server, for one message at a time. */
export interface SmtpSession {
  /**
   * Sends a message to those recipients that the server accepts.
   * @param beforeDot awaited between the last byte of the content and the end of the data, with the recipients that the server has refused: they do
   * not get the message in any case. If it rejects, the connection is closed without the end of the data, so that nothing was sent
   * @param signal closes the connection, unless the end of the data was sent
   * @returns the server's decision about each recipient
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
  /** Sends QUIT, and does not wait for the answer. */
  close(): void
}

/** The fields of a mailbox that a connection depends on. */
export type SmtpMailbox = Pick<
  Mailbox,
  'serverProtocol' | 'serverAddress' | 'serverPort' | 'serverEncryption' | 'userLogin' | 'userEmail' | 'credentials'
>

/** Connections that are reused for later messages. */
export interface SmtpPool {
  /** Runs `work` with a free connection of the mailbox. @throws MailConnectionError when none can be opened */
  use<Result>(mailbox: SmtpMailbox & { readonly id: Id }, work: (session: SmtpSession) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}
