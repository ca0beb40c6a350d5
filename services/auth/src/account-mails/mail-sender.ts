/** A mail as it is sent. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The server has said that it never takes this mail. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** Sends mails. What it throws says nothing of a mail: neither its address nor what it says. */
export interface MailSender {
  /**
   * Resolves when somebody else has taken the responsibility for the mail.
   * @throws MailRefused
   * @throws AppError `unavailable` when it was not taken, and may be later
   * @throws Error when nobody knows whether it was
   */
  send(mail: Mail): Promise<void>
}
