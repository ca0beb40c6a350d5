/** A rendered mail. */
export interface Mail {
  /** The left side of its Message-ID, by which a mailbox recognises a mail that it gets again. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The server has refused this mail for good. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** Sends mails. Its errors contain neither the address nor the content of a mail. */
export interface MailSender {
  /**
   * Resolves when the mail server has accepted the mail.
   * @throws MailRefused
   * @throws AppError `unavailable` when it was certainly not accepted, and may be later
   * @throws Error when it is unknown whether it was accepted
   */
  send(mail: Mail): Promise<void>
}
