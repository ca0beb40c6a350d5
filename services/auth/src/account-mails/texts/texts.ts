import type { MailTopic } from '../account-mail.js'

/** The sentences of a mail, in plain text. */
export interface Text {
  readonly subject: string
  readonly before: readonly string[]
  /** The label of the link, which stands between `before` and `after`. */
  readonly link: string
  readonly after: readonly string[]
}

/** The texts of one language. `office` is the name of the person's office; it is empty for a client without one. */
export type Texts = Readonly<Record<MailTopic, (office: string) => Text>>
