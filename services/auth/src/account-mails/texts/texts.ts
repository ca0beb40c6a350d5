import type { MailTopic } from '../account-mail.js'

/** What a mail says, in plain text. */
export interface Text {
  readonly subject: string
  readonly before: readonly string[]
  /** On the link, which stands between both. */
  readonly link: string
  readonly after: readonly string[]
}

/** Of one language. `office` is the name of the office that the person belongs to, or empty. */
export type Texts = Readonly<Record<MailTopic, (office: string) => Text>>
